#include "analysis/happens_before.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace upsweep {
namespace {

constexpr std::uint64_t whole_grid = std::uint64_t{1} << 63;

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

std::uint64_t HappensBefore::key(const Block& b, int agent) const {
  return std::uint64_t{b.index} << 32 | static_cast<std::uint32_t>(agent + 1);
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
        if (ancestor == grid.parent)
          ended.push_back({whole_grid | static_cast<std::uint64_t>(g), UINT32_MAX});
      }
      add(grid_knows_[b.grid], combined(std::move(ended)));
      add(grid_knows_[b.grid], grid_knows_[static_cast<std::size_t>(grid.parent)]);
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
  b.beyond.assign(agents, fire_and_forget_ ? grid_knows_[b.grid] : nullptr);
  b.waiting.assign(warps, 0);
  b.waiting_event.assign(warps * 32, 0);
  b.warps.resize(b.in_focus ? warps : 0);
  if (fences_) b.fenced.resize(agents);
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
  bool changed = false;
  for (const std::size_t a : agents) {
    if (fences_) {  // a barrier is a fence among the threads of its block
      auto& seen = b.fenced[a].seen[static_cast<int>(Scope::block)];
      add(b.beyond[a], seen);
      seen.reset();
    }
    changed = changed || b.beyond[a] != b.beyond[agents.front()];
    b.at[a] = until;
  }
  if (changed) {
    std::vector<Knowledge> parts;
    for (const std::size_t a : agents) parts.push_back(b.beyond[a]);
    const Knowledge all = folded(combined(std::move(parts)), b.index, until);
    for (const std::size_t a : agents) b.beyond[a] = all;
  }
  if (fences_)
    for (const Scope scope : {Scope::block, Scope::device}) {
      const auto s = static_cast<int>(scope);
      std::vector<Knowledge> parts;
      bool dirty = false;
      for (const std::size_t a : agents) {
        parts.push_back(b.fenced[a].released[s]);
        dirty = dirty || (scope == Scope::device && b.fenced[a].dirty[s]);
      }
      Knowledge all = combined(std::move(parts));
      if (all && !dirty) all = folded(all, b.index, until);
      for (const std::size_t a : agents) b.fenced[a].released[s] = all;
    }
  std::fill(b.waiting.begin(), b.waiting.end(), 0);
  b.anyone_waits = false;
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
    case Kind::fence:
      for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
        fence(b, (e.warp * 32 + std::countr_zero(m)) >> b.shift, static_cast<Scope>(e.detail), now);
      return;
    default: break;
  }
  if (!fences_ || !is_access(e.kind)) return;
  if (is_store(e.kind))
    for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
      auto& f = b.fenced[static_cast<std::size_t>((e.warp * 32 + std::countr_zero(m)) >> b.shift)];
      f.dirty[static_cast<int>(Scope::block)] = true;
      if (is_global(e.kind)) f.dirty[static_cast<int>(Scope::device)] = true;
    }
  if (meets(e)) synchronise(b, e);
}

// __syncwarp: what its lanes know, all of them know.
void HappensBefore::meet(Block& b, const Event& e, Moment now) {
  Block::Warp& warp = b.warps[e.warp];
  const std::size_t first = e.warp * 32u;
  const auto lanes = std::min(32, b.threads - e.warp * 32);
  std::vector<Knowledge> parts;
  Moment at = 0;
  bool changed = false;
  for_each_lane(Event{.width = 0, .buffer = 0, .mask = e.mask}, [&](int lane, std::uint32_t) {
    const std::size_t t = first + static_cast<std::size_t>(lane);
    at = std::max(at, b.at[t]);
    changed = changed || (!parts.empty() && parts.front() != b.beyond[t]);
    parts.push_back(b.beyond[t]);
  });
  const Knowledge all = changed ? combined(std::move(parts)) : nullptr;
  const bool whole = e.mask == ~0u >> (32 - lanes);
  std::array<Moment, 32> row{};
  if (!whole && warp.with_lane.empty()) warp.with_lane.assign(32 * 32, warp.together);
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(m));
    b.at[first + lane] = at;
    if (changed) b.beyond[first + lane] = all;
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
  if (fences_)
    for (int s = 0; s < 2; ++s) {
      std::vector<Knowledge> released;
      std::vector<Known> clean;
      bool any = false;
      for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
        const std::size_t t = first + static_cast<std::size_t>(std::countr_zero(m));
        any = any || b.fenced[t].released[s];
        released.push_back(b.fenced[t].released[s]);
        if (!b.fenced[t].dirty[s]) clean.push_back({key(b, static_cast<int>(t)), now});
      }
      if (!any) continue;
      released.push_back(combined(std::move(clean)));
      const Knowledge told = combined(std::move(released));
      for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
        b.fenced[first + static_cast<std::size_t>(std::countr_zero(m))].released[s] = told;
    }
}

// All that an agent knows, its own deeds included, without reference to where it stands.
Knowledge HappensBefore::everything(const Block& b, int agent, Moment now) const {
  const auto a = static_cast<std::size_t>(agent);
  std::vector<Known> entries;
  if (b.beyond[a]) entries = *b.beyond[a];
  if (b.in_focus) {
    if (b.at[a] > b.launched) entries.push_back({std::uint64_t{b.index} << 32, b.at[a]});
    if (model_ == WarpModel::independent) {
      const Block::Warp& warp = b.warps[a / 32];
      for (std::size_t other = 0; other < 32; ++other) {
        const Moment until = warp.with_lane.empty() ? warp.together : warp.with_lane[a % 32 * 32 + other];
        if (until > b.at[a]) entries.push_back({key(b, static_cast<int>(a / 32 * 32 + other)), until});
      }
    }
    entries.push_back({key(b, agent), now});
  }
  return combined(std::move(entries));
}

void HappensBefore::fence(Block& b, int agent, Scope scope, Moment now) {
  const auto a = static_cast<std::size_t>(agent);
  Block::Fenced& f = b.fenced[a];
  for (int s = 0; s <= static_cast<int>(scope); ++s) {
    add(b.beyond[a], f.seen[s]);
    f.seen[s].reset();
  }
  const Knowledge all = everything(b, agent, now);
  for (int s = 0; s <= static_cast<int>(scope); ++s) {
    f.released[s] = all;
    f.dirty[s] = false;
  }
}

void HappensBefore::launch(const Block& b, const Event& e, Moment now) {
  for_each_lane(e, [&](int lane, std::uint32_t entry) {
    const std::int64_t child = trace_.lanes[entry].address;
    if (child < 0 || child >= static_cast<std::int64_t>(grid_knows_.size())) return;
    add(grid_knows_[static_cast<std::size_t>(child)], everything(b, (e.warp * 32 + lane) >> b.shift, now));
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
  return beyond && (then <= until_of(beyond, key(other, thread >> other.shift)) ||
                    then <= until_of(beyond, std::uint64_t{index} << 32) ||
                    until_of(beyond, whole_grid | other.grid) != 0);
}

}  // namespace upsweep
