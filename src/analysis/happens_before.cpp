#include "analysis/happens_before.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

namespace upsweep {
namespace {

// A Knowledge maps blocks and threads to moments. The moment of a whole grid is stored under a block number
// that no block has. 32 neighbouring grids share one such block number, and have different thread numbers.
std::uint32_t block_of_grid(std::uint32_t grid) { return (std::uint32_t{1} << 31) + grid / 32; }
std::uint32_t thread_of_grid(std::uint32_t grid) { return grid % 32 + 1; }

// Returns whether the event is a volatile access or an atomic. Through such accesses, a thread can learn that
// other threads have done something.
bool meets(const Event& e) {
  return is_atomic(e.kind) || (is_access(e.kind) && (e.flags & is_volatile) != 0);
}

}  // namespace

std::vector<std::uint32_t> issue_order(const Trace& trace) {
  const std::vector<Event>& events = trace.events;
  std::vector<std::uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0u);
  if (std::is_sorted(events.begin(), events.end(),
                     [](const Event& a, const Event& b) { return a.time < b.time; }))
    return order;
  std::vector<std::uint32_t> other(events.size());
  std::uint32_t differing = 0;
  for (const Event& e : events) differing |= e.time ^ events.front().time;
  // Sorts the events by each byte of their time, the lowest byte first. Events with equal times keep their
  // order.
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
  for (std::size_t g = 0; g < trace.grids.size(); ++g) {
    const int parent = trace.grids[g].parent;
    root_of_grid_.push_back(parent < 0 ? g : root_of_grid_[static_cast<std::size_t>(parent)]);
  }
  for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
    const Event& e = trace.events[i];
    fences_ = fences_ || e.kind == Kind::fence;
    fire_and_forget_ =
        fire_and_forget_ ||
        (e.kind == Kind::launch && e.detail == static_cast<std::uint8_t>(ChildLaunch::fire_and_forget));
    if (i == 0 || blocks_.back().grid != e.grid || blocks_.back().block != e.block) {
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
    ++blocks_.back().events_left;
  }
}

// Notes when a grid begins. If the grid comes from a tail launch, and the trace has fire-and-forget launches,
// also notes which other grids ended before this grid began.
void HappensBefore::begin_grid(int index, Moment now) {
  const auto g = static_cast<std::size_t>(index);
  grid_began_[g] = now;
  const Grid& grid = trace_.grids[g];
  const bool tail = grid.parent >= 0 &&
                    (grid.parent_event == Grid::none ||
                     trace_.events[grid.parent_event].detail == static_cast<std::uint8_t>(ChildLaunch::tail));
  if (!tail || !fire_and_forget_) return;
  // A tail launch waits for the parent grid, and for the grids below the parent that were launched earlier.
  std::vector<Known> ended;
  // below[k] says whether the grid with index grid.parent + k is the parent or descends from the parent.
  std::vector<bool> below(static_cast<std::size_t>(index - grid.parent));
  for (int other = grid.parent; other < index; ++other) {
    const int parent = trace_.grids[static_cast<std::size_t>(other)].parent;
    const bool inside = other == grid.parent ||
                        (parent >= grid.parent && below[static_cast<std::size_t>(parent - grid.parent)]);
    below[static_cast<std::size_t>(other - grid.parent)] = inside;
    const auto number = static_cast<std::uint32_t>(other);
    if (inside) ended.push_back({thread_of_grid(number), UINT32_MAX});
    if (other + 1 < index && block_of_grid(number + 1) == block_of_grid(number)) continue;
    grid_knows_[g].add(Knowledge(block_of_grid(number), ended));
    ended.clear();
  }
  grid_knows_[g].add(grid_knows_[static_cast<std::size_t>(grid.parent)]);
}

// Begins a block. All actions until `b.launched` have certainly happened before the block begins. If the
// trace has fire-and-forget launches, the block also gets the knowledge in grid_knows_.
void HappensBefore::begin_block(Block& b, Moment now) {
  if (grid_began_[b.grid] == 0) begin_grid(b.grid, now);
  std::size_t since = b.grid;
  // Without fire-and-forget launches, all grids run one after another. So all earlier grids have ended. With
  // such launches, only the grids before the host's launch have certainly ended (see root_of_grid_).
  if (fire_and_forget_) since = root_of_grid_[since];
  b.launched = grid_began_[since] == 0 ? 0 : grid_began_[since] - 1;
  if (spare_.empty()) {
    b.live = std::make_unique<Live>();
  } else {
    b.live = std::move(spare_.back());
    spare_.pop_back();
  }
  Live& live = *b.live;
  const auto agents = static_cast<std::size_t>((std::max(b.threads, 1) - 1) >> b.shift) + 1;
  const auto warps = static_cast<std::size_t>(b.threads + 31) / 32;
  live.at.assign(agents, b.launched);
  live.waiting.assign(warps, 0);
  live.waiting_event.resize(warps * 32);
  live.last_arrival = 0;
  live.anyone_waits = false;
  live.warps.assign(b.in_focus ? warps : 0, {});
  live.others = {};
  if (fire_and_forget_) live.others.beyond = grid_knows_[b.grid];
  live.learned.clear();
  ++live.round;
  if (fences_)
    for (auto& dirty : live.dirty) dirty.assign(b.shift == 0 ? warps : agents, 0);
}

void HappensBefore::release(std::uint32_t event) {
  Block& b = blocks_[block_of_event_[event]];
  Live& live = *b.live;
  released_.clear();
  for (std::size_t w = 0; w < live.waiting.size(); ++w)
    for (std::uint32_t m = live.waiting[w]; m != 0; m &= m - 1) {
      const auto agent =
          static_cast<std::uint32_t>((w * 32 + static_cast<std::size_t>(std::countr_zero(m))) >> b.shift);
      if (released_.empty() || released_.back() != agent) released_.push_back(agent);
    }
  for (const std::uint32_t a : released_) live.at[a] = live.last_arrival;
  if (fences_ || fire_and_forget_) share(b, released_, live.last_arrival);
  std::fill(live.waiting.begin(), live.waiting.end(), 0);
  live.anyone_waits = false;
}

// At a barrier, each of the agents `who` (threads or warps, see Block) learns everything that any of these
// agents knows.
//
// Live::Agent::released is the knowledge that an agent passes on when it stores to a flag. The barrier gives
// each agent the released knowledge of all agents. If any of the agents has executed a fence, the barrier
// also adds all actions of the block up to the barrier.
//
// There is one exception: if any of the agents has stored to global memory since its last fence, other blocks
// learn only of the actions that each agent made before its own last fence.
void HappensBefore::share(Block& b, const std::vector<std::uint32_t>& who, Moment until) {
  const auto block = static_cast<int>(Scope::block), device = static_cast<int>(Scope::device);
  Live& live = *b.live;
  Live::Agent all;
  std::vector<Known> selves[2];
  const auto take = [&](const Live::Agent& agent, std::uint32_t a) {
    all.beyond.add(agent.beyond);
    all.beyond.add(agent.seen[block]);  // a barrier works as a fence for the threads of its block
    for (const int s : {block, device}) {
      const Live::Told& told = agent.released[s];
      all.released[s].beyond.add(told.beyond);
      all.released[s].own.add(told.own);
      if (told.self > 0) selves[s].push_back({a + 1, told.self});
    }
  };
  const bool everyone = who.size() == live.at.size();
  std::vector<std::uint32_t> learned;
  if (everyone) {
    learned.swap(live.learned);
    std::sort(learned.begin(), learned.end());
    if (learned.size() < who.size()) take(live.others, 0);
  }
  for (const std::uint32_t a : everyone ? learned : who) take(live.agent(a), a);
  for (const int s : {block, device}) {
    Live::Told& told = all.released[s];
    if (!told && selves[s].empty()) continue;
    const bool dirty = s == device && std::any_of(who.begin(), who.end(),
                                                  [&](std::uint32_t a) { return is_dirty(b, s, a); });
    if (dirty) told.own.add(Knowledge(b.index, selves[s]));
    else told.own = Knowledge(b.index, std::array{Known{Knowledge::everyone, until}});
  }
  if (everyone) {
    live.others = std::move(all);
    ++live.round;
    for (const std::uint32_t a : learned)
      if (Knowledge seen = std::move(live.agents[a].seen[device]))
        live.learn(a).seen[device] = std::move(seen);
  } else {
    for (const std::uint32_t a : who) {
      Live::Agent& agent = live.learn(a);
      agent.beyond = all.beyond;
      agent.seen[block] = {};
      for (const int s : {block, device}) agent.released[s] = all.released[s];
    }
  }
}

void HappensBefore::take(Block& b, std::uint32_t event, Moment now) {
  const Event& e = trace_.events[event];
  switch (e.kind) {
    case Kind::barrier:
      b.live->waiting[e.warp] |= e.mask;
      for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
        b.live->waiting_event[static_cast<std::size_t>(e.warp * 32 + std::countr_zero(m))] = event;
      if (!b.live->anyone_waits) {
        b.live->line = e.line;
        b.live->several_lines = false;
      }
      b.live->several_lines = b.live->several_lines || e.line != b.live->line;
      b.live->last_arrival = now;
      b.live->anyone_waits = true;
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
  auto& dirty = b.live->dirty[static_cast<int>(scope)];
  if (b.shift == 0) dirty[e.warp] |= e.mask;
  else if (e.mask != 0) dirty[agent_of(b, e, 0)] = 1;
}

// Examines a __syncwarp(). After the __syncwarp(), each lane in the mask knows what any lane in the mask knew
// before.
void HappensBefore::meet(Block& b, const Event& e, Moment now) {
  Live::Warp& warp = b.live->warps[e.warp];
  const std::size_t first = e.warp * 32u;
  const auto lanes = std::min(32, b.threads - e.warp * 32);
  Moment at = 0;
  for_each_agent(b, e, [&](std::size_t t) { at = std::max(at, b.live->at[t]); });
  const bool whole = e.mask == ~0u >> (32 - lanes);
  std::array<Moment, 32> row{};
  if (!whole && warp.with_lane.empty()) warp.with_lane.assign(32 * 32, warp.together);
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(m));
    b.live->at[first + lane] = at;
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
  if (!fences_ && !fire_and_forget_) return;
  Knowledge all;
  for_each_agent(b, e, [&](std::size_t t) { all.add(b.live->agent(t).beyond); });
  for_each_agent(b, e, [&](std::size_t t) {
    if (!b.live->agent(t).beyond.is(all)) b.live->learn(t).beyond = all;
  });
  if (fences_) meet_fenced(b, e, now);
}

// At a __syncwarp(), gives each lane in the mask the released knowledge of all these lanes (see
// Live::Agent::released). If a lane has stored nothing since its last fence, also adds all actions of this
// lane. Does nothing if no lane has released knowledge.
void HappensBefore::meet_fenced(Block& b, const Event& e, Moment now) {
  for (int s = 0; s < 2; ++s) {
    Live::Told all;
    std::array<Known, 32> selves;
    std::size_t count = 0;
    bool any = false;
    for_each_agent(b, e, [&](std::uint32_t t) {
      const Live::Told& told = b.live->agent(t).released[s];
      any = any || told;
      all.beyond.add(told.beyond);
      all.own.add(told.own);
      const Moment self = is_dirty(b, s, t) ? told.self : now;
      if (self > 0) selves[count++] = {t + 1, self};
    });
    if (!any) continue;
    all.own.add(Knowledge(b.index, std::span(selves).first(count)));
    for_each_agent(b, e, [&](std::size_t t) { b.live->learn(t).released[s] = all; });
  }
}

// Returns the knowledge that an agent (see Block) has about the other agents of its block.
Knowledge HappensBefore::own(const Block& b, std::size_t agent) const {
  if (!b.in_focus) return {};
  std::array<Known, 33> known;
  std::size_t count = 0;
  if (b.live->at[agent] > b.launched) known[count++] = {Knowledge::everyone, b.live->at[agent]};
  if (model_ == WarpModel::independent) {
    const Live::Warp& warp = b.live->warps[agent / 32];
    for (std::size_t other = 0; other < 32; ++other) {
      const Moment until = warp.with_lane.empty() ? warp.together : warp.with_lane[agent % 32 * 32 + other];
      if (until > b.live->at[agent])
        known[count++] = {static_cast<std::uint32_t>(agent / 32 * 32 + other) + 1, until};
    }
  }
  return {b.index, std::span(known).first(count)};
}

Knowledge HappensBefore::together(const Block& b, std::size_t agent, const Live::Told& told) {
  Knowledge own = told.own, all = told.beyond;
  if (told.self > 0)
    own.add(Knowledge(b.index, std::array{Known{static_cast<std::uint32_t>(agent) + 1, told.self}}));
  all.add(own);
  return all;
}

void HappensBefore::fence(Block& b, const Event& e, Moment now) {
  // `known` is the knowledge of one agent about its block, and `whose` is the index of this agent. Agents of
  // one warp usually have the same knowledge, so `known` is computed again only if necessary.
  Knowledge known;
  std::size_t whose = SIZE_MAX;
  for_each_agent(b, e, [&](std::size_t a) {
    Live::Agent& agent = b.live->learn(a);
    for (int s = 0; s <= e.detail; ++s) agent.beyond.add(std::exchange(agent.seen[s], {}));
    if (whose == SIZE_MAX || b.live->at[a] != b.live->at[whose] ||
        (!b.live->warps.empty() && !b.live->warps[e.warp].with_lane.empty()))
      known = own(b, a);
    whose = a;
    for (int s = 0; s <= e.detail; ++s) {
      agent.released[s] = {agent.beyond, known, b.in_focus ? now : 0};
      if (b.shift == 0) b.live->dirty[s][a / 32] &= ~(1u << a % 32);
      else b.live->dirty[s][a] = 0;
    }
  });
}

void HappensBefore::launch(const Block& b, const Event& e, Moment now) {
  for_each_lane(e, [&](int lane, std::uint32_t entry) {
    const std::int64_t child = trace_.lanes[entry].address;
    if (child < 0 || child >= static_cast<std::int64_t>(grid_knows_.size())) return;
    const std::size_t agent = agent_of(b, e, lane);
    grid_knows_[static_cast<std::size_t>(child)].add(
        together(b, agent, {b.live->agent(agent).beyond, own(b, agent), b.in_focus ? now : 0}));
  });
}

bool HappensBefore::known(std::uint32_t index, int thread, Moment then, const Block& b, int by) const {
  const Block& other = blocks_[index];
  if (index == b.index && model_ == WarpModel::independent && thread / 32 == by / 32) {
    const Live::Warp& warp = b.live->warps[static_cast<std::size_t>(by / 32)];
    if (then <= warp.together) return true;
    if (!warp.with_lane.empty() &&
        then <= warp.with_lane[static_cast<std::size_t>(by % 32 * 32 + thread % 32)])
      return true;
  }
  const Knowledge& beyond = b.live->agent(static_cast<std::size_t>(by >> b.shift)).beyond;
  return beyond && (then <= beyond.until_of(index, static_cast<std::uint32_t>(thread >> other.shift) + 1) ||
                    beyond.until_of(block_of_grid(other.grid), thread_of_grid(other.grid)) != 0);
}

}  // namespace upsweep
