#include "analysis/happens_before.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

namespace upsweep {
namespace {

// As a block: its threads are the grids, by number from 1, of which everything is known.
constexpr std::uint32_t whole_grids = std::uint32_t{1} << 31;

// Volatile accesses, and atomics: what threads can meet through.
bool meets(const Event& e) {
  return is_atomic(e.kind) || (is_access(e.kind) && (e.flags & is_volatile) != 0);
}

}  // namespace

std::vector<std::uint32_t> issue_order(const Trace& trace) {
  const std::vector<Event>& events = trace.events;
  std::vector<std::uint32_t> order(events.size()), other(events.size());
  std::iota(order.begin(), order.end(), 0u);
  std::uint32_t differing = 0;
  for (const Event& e : events) differing |= e.time ^ events.front().time;
  // By each byte of the time in turn, the lowest first; equal times stay as they lie.
  for (int shift = 0; shift < 32; shift += 8) {
    if ((differing >> shift & 0xff) == 0) continue;
    std::array<std::uint32_t, 257> begin{};
    for (const Event& e : events) ++begin[(e.time >> shift & 0xff) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const std::uint32_t i : order) other[begin[events[i].time >> shift & 0xff]++] = i;
    order.swap(other);
  }
  return order;
}

HappensBefore::HappensBefore(const Trace& trace, WarpModel model)
    : trace_(trace),
      model_(model),
      on_gpu_(trace.machine == MachineKind::gpu),
      block_of_event_(trace.events.size()),
      grid_began_(trace.grids.size()),
      grid_knows_(trace.grids.size()) {
  for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
    const Event& e = trace.events[i];
    fences_ = fences_ || e.kind == Kind::fence;
    fire_and_forget_ =
        fire_and_forget_ ||
        (e.kind == Kind::launch && e.detail == static_cast<std::uint8_t>(ChildLaunch::fire_and_forget));
    if (blocks_.empty() || blocks_.back().grid != e.grid || blocks_.back().block != e.block) {
      Block b;
      b.index = static_cast<std::uint32_t>(blocks_.size());
      b.grid = e.grid;
      b.block = e.block;
      b.threads = trace.grids[e.grid].threads;
      const auto run =
          std::lower_bound(trace.runs.begin(), trace.runs.end(), b, [](const auto& r, const auto& k) {
            return r.grid != k.grid ? r.grid < k.grid : r.block < k.block;
          });
      if (run != trace.runs.end() && run->grid == b.grid && run->block == b.block) b.in_focus = run->in_focus;
      b.shift = !b.in_focus ? 16 : model == WarpModel::lockstep ? 5 : 0;
      blocks_.push_back(std::move(b));
    }
    block_of_event_[i] = blocks_.back().index;
  }
}

// What a block knows as it begins: for the host's launches everything before, for a child what its launch
// says.
void HappensBefore::begin_block(Block& b, Moment now) {
  b.begun = true;
  if (grid_began_[b.grid] == 0) {
    grid_began_[b.grid] = now;
    const Grid& grid = trace_.grids[b.grid];
    const bool tail = grid.parent >= 0 &&
                      (grid.parent_event == Grid::none || trace_.events[grid.parent_event].detail ==
                                                              static_cast<std::uint8_t>(ChildLaunch::tail));
    // Tail launches wait for the parent grid and all that it launched before.
    if (tail && fire_and_forget_) {
      std::vector<Known> ended;
      for (int g = grid.parent; g < b.grid; ++g) {
        int ancestor = g;
        while (ancestor > grid.parent) ancestor = trace_.grids[static_cast<std::size_t>(ancestor)].parent;
        if (ancestor == grid.parent) ended.push_back({static_cast<std::uint32_t>(g) + 1, UINT32_MAX});
      }
      grid_knows_[b.grid].add(Knowledge(whole_grids, ended));
      grid_knows_[b.grid].add(grid_knows_[static_cast<std::size_t>(grid.parent)]);
    }
  }
  std::size_t since = b.grid;
  // Where nothing was fired and forgotten, the grids of a launch's tree ran one after another.
  if (fire_and_forget_)
    while (trace_.grids[since].parent >= 0) since = static_cast<std::size_t>(trace_.grids[since].parent);
  b.launched = grid_began_[since] == 0 ? 0 : grid_began_[since] - 1;
  const auto agents = static_cast<std::size_t>((std::max(b.threads, 1) - 1) >> b.shift) + 1;
  const auto warps = static_cast<std::size_t>(b.threads + 31) / 32;
  b.at.assign(agents, b.launched);
  b.beyond.assign(agents, fire_and_forget_ ? grid_knows_[b.grid] : Knowledge());
  b.waiting.assign(warps, 0);
  b.waiting_event.assign(warps * 32, 0);
  b.warps.resize(b.in_focus ? warps : 0);
  if (!fences_) return;
  b.fenced.resize(agents);
  for (auto& dirty : b.dirty) dirty.assign(b.shift == 0 ? warps : agents, 0);
}

bool HappensBefore::begins(std::uint32_t event, Moment now) {
  now_ = now;
  Block& b = blocks_[block_of_event_[event]];
  if (!b.begun) begin_block(b, now);
  const Event& e = trace_.events[event];
  return b.anyone_waits && (b.waiting[e.warp] & e.mask) != 0;
}

void HappensBefore::release(std::uint32_t event) {
  Block& b = blocks_[block_of_event_[event]];
  std::vector<std::size_t> agents;
  for (std::size_t w = 0; w < b.waiting.size(); ++w)
    for (std::uint32_t m = b.waiting[w]; m != 0; m &= m - 1) {
      const std::size_t agent = (w * 32 + static_cast<std::size_t>(std::countr_zero(m))) >> b.shift;
      if (agents.empty() || agents.back() != agent) agents.push_back(agent);
    }
  const Moment until = b.last_arrival;
  Knowledge all;
  for (const std::size_t a : agents) {
    if (fences_)  // a barrier is a fence among the threads of its block
      b.beyond[a].add(std::exchange(b.fenced[a].seen[static_cast<int>(Scope::block)], {}));
    all.add(b.beyond[a]);
    b.at[a] = until;
  }
  for (const std::size_t a : agents)
    if (!b.beyond[a].is(all)) b.beyond[a] = all;
  if (fences_) release_fenced(b, agents, until);
  std::fill(b.waiting.begin(), b.waiting.end(), 0);
  b.anyone_waits = false;
}

// What all of them could tell, each of them can tell now. Where none has stored anything since its fence,
// that is everything until the barrier.
void HappensBefore::release_fenced(Block& b, const std::vector<std::size_t>& agents, Moment until) {
  for (const Scope scope : {Scope::block, Scope::device}) {
    const auto s = static_cast<int>(scope);
    Block::Told all;
    std::vector<Known> selves;
    bool any = false, dirty = false;
    for (const std::size_t a : agents) {
      const Block::Told& told = b.fenced[a].released[s];
      dirty = dirty || (scope == Scope::device && is_dirty(b, s, a));
      if (!told) continue;
      any = true;
      all.beyond.add(told.beyond);
      all.own.add(told.own);
      if (told.self > 0) selves.push_back({static_cast<std::uint32_t>(a) + 1, told.self});
    }
    if (!any) continue;
    if (dirty) all.own.add(Knowledge(b.index, selves));
    else all.own = Knowledge(b.index, std::array{Known{Knowledge::everyone, until}});
    for (const std::size_t a : agents) b.fenced[a].released[s] = all;
  }
}

void HappensBefore::ends(std::uint32_t event, Moment now) {
  const Event& e = trace_.events[event];
  Block& b = blocks_[block_of_event_[event]];
  switch (e.kind) {
    case Kind::barrier:
      b.waiting[e.warp] |= e.mask;
      for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
        b.waiting_event[static_cast<std::size_t>(e.warp * 32 + std::countr_zero(m))] = event;
      b.last_arrival = now;
      b.anyone_waits = true;
      return;
    case Kind::warp_barrier:
      if (b.in_focus && model_ == WarpModel::independent) meet(b, e, now);
      return;
    case Kind::launch:
      if (fire_and_forget_) launch(b, e, now);
      return;
    case Kind::fence: fence(b, e, now); return;
    default: break;
  }
  if (!fences_ || !is_access(e.kind)) return;
  if (is_store(e.kind)) {
    mark_dirty(b, e, Scope::block);
    if (is_global(e.kind)) mark_dirty(b, e, Scope::device);
  }
  if (meets(e)) synchronise(b, e);
}

void HappensBefore::mark_dirty(Block& b, const Event& e, Scope scope) const {
  auto& dirty = b.dirty[static_cast<int>(scope)];
  if (b.shift == 0) dirty[e.warp] |= e.mask;
  else if (e.mask != 0) dirty[agent_of(b, e, 0)] = 1;
}

// __syncwarp: what its lanes know, all of them know.
void HappensBefore::meet(Block& b, const Event& e, Moment now) {
  Block::Warp& warp = b.warps[e.warp];
  const std::size_t first = e.warp * 32u;
  const auto lanes = std::min(32, b.threads - e.warp * 32);
  Moment at = 0;
  Knowledge all;
  for_each_agent(b, e, [&](std::size_t t) {
    at = std::max(at, b.at[t]);
    all.add(b.beyond[t]);
  });
  const bool whole = e.mask == ~0u >> (32 - lanes);
  std::array<Moment, 32> row{};
  if (!whole && warp.with_lane.empty()) warp.with_lane.assign(32 * 32, warp.together);
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(m));
    b.at[first + lane] = at;
    if (!b.beyond[first + lane].is(all)) b.beyond[first + lane] = all;
    if (!whole)
      for (std::size_t other = 0; other < 32; ++other)
        row[other] = std::max(row[other], warp.with_lane[32 * lane + other]);
  }
  if (whole) {
    warp.together = now;
    warp.with_lane.clear();
  } else {
    for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
      row[static_cast<std::size_t>(std::countr_zero(m))] = now;
    for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
      std::copy(row.begin(), row.end(), warp.with_lane.begin() + 32 * std::countr_zero(m));
  }
  if (fences_) meet_fenced(b, e, now);
}

// What one of them could tell, all of them can tell now, and what those did that have stored nothing since
// their fence.
void HappensBefore::meet_fenced(Block& b, const Event& e, Moment now) {
  for (int s = 0; s < 2; ++s) {
    Block::Told all;
    std::array<Known, 32> selves;
    std::size_t count = 0;
    bool any = false;
    for_each_agent(b, e, [&](std::uint32_t t) {
      const Block::Told& told = b.fenced[t].released[s];
      any = any || told;
      all.beyond.add(told.beyond);
      all.own.add(told.own);
      const Moment self = is_dirty(b, s, t) ? told.self : now;
      if (self > 0) selves[count++] = {t + 1, self};
    });
    if (!any) continue;
    all.own.add(Knowledge(b.index, std::span(selves).first(count)));
    for_each_agent(b, e, [&](std::size_t t) { b.fenced[t].released[s] = all; });
  }
}

// What an agent knows of its own block, itself left out.
Knowledge HappensBefore::own(const Block& b, std::size_t agent) const {
  if (!b.in_focus) return {};
  std::array<Known, 33> known;
  std::size_t count = 0;
  if (b.at[agent] > b.launched) known[count++] = {Knowledge::everyone, b.at[agent]};
  if (model_ == WarpModel::independent) {
    const Block::Warp& warp = b.warps[agent / 32];
    for (std::size_t other = 0; other < 32; ++other) {
      const Moment until = warp.with_lane.empty() ? warp.together : warp.with_lane[agent % 32 * 32 + other];
      if (until > b.at[agent])
        known[count++] = {static_cast<std::uint32_t>(agent / 32 * 32 + other) + 1, until};
    }
  }
  return {b.index, std::span(known).first(count)};
}

Knowledge HappensBefore::together(const Block& b, std::size_t agent, const Block::Told& told) {
  Knowledge own = told.own, all = told.beyond;
  if (told.self > 0)
    own.add(Knowledge(b.index, std::array{Known{static_cast<std::uint32_t>(agent) + 1, told.self}}));
  all.add(own);
  return all;
}

void HappensBefore::fence(Block& b, const Event& e, Moment now) {
  Knowledge known;  // what an agent knows of its block, which those of a warp mostly share
  std::size_t whose = SIZE_MAX;
  for_each_agent(b, e, [&](std::size_t a) {
    Block::Fenced& f = b.fenced[a];
    for (int s = 0; s <= e.detail; ++s) b.beyond[a].add(std::exchange(f.seen[s], {}));
    if (whose == SIZE_MAX || b.at[a] != b.at[whose] ||
        (!b.warps.empty() && !b.warps[e.warp].with_lane.empty()))
      known = own(b, a);
    whose = a;
    for (int s = 0; s <= e.detail; ++s) {
      f.released[s] = {b.beyond[a], known, b.in_focus ? now : 0};
      if (b.shift == 0) b.dirty[s][a / 32] &= ~(1u << a % 32);
      else b.dirty[s][a] = 0;
    }
  });
}

void HappensBefore::launch(const Block& b, const Event& e, Moment now) {
  for_each_lane(e, [&](int lane, std::uint32_t entry) {
    const std::int64_t child = trace_.lanes[entry].address;
    if (child < 0 || child >= static_cast<std::int64_t>(grid_knows_.size())) return;
    const std::size_t agent = agent_of(b, e, lane);
    grid_knows_[static_cast<std::size_t>(child)].add(
        together(b, agent, {b.beyond[agent], own(b, agent), b.in_focus ? now : 0}));
  });
}

bool HappensBefore::known(std::uint32_t index, int thread, Moment then, const Block& b, int by) const {
  const Block& other = blocks_[index];
  if (index == b.index && model_ == WarpModel::independent && thread / 32 == by / 32) {
    const Block::Warp& warp = b.warps[static_cast<std::size_t>(by / 32)];
    if (then <= warp.together) return true;
    if (!warp.with_lane.empty() &&
        then <= warp.with_lane[static_cast<std::size_t>(by % 32 * 32 + thread % 32)])
      return true;
  }
  const Knowledge& beyond = b.beyond[static_cast<std::size_t>(by >> b.shift)];
  return beyond && (then <= beyond.until_of(index, static_cast<std::uint32_t>(thread >> other.shift) + 1) ||
                    beyond.until_of(whole_grids, other.grid + 1u) != 0);
}

}  // namespace upsweep
