#include "analysis/lanes.hpp"

#include <algorithm>

#include "analysis/memory.hpp"

namespace upsweep {

std::uint32_t present_lanes(const Grid& grid, int warp) {
  const int threads = std::clamp(grid.threads - 32 * warp, 0, 32);
  return threads == 32 ? ~0u : (1u << threads) - 1;
}

std::vector<std::uint32_t> live_lanes(const Trace& trace, int grid, int block) {
  const Grid& g = trace.grids[static_cast<std::size_t>(grid)];
  const std::size_t warps = g.warps(), steps = end_step(trace, grid) - g.first_step;
  std::vector<std::uint32_t> live(steps * warps);
  std::vector<int> arrivals(32 * warps);  // for each thread: the number of barriers that the thread reached
  const EventRange all = block_events(trace, grid, block);
  for (std::size_t i = all.first; i < all.last; ++i) {
    const Event& e = trace.events[i];
    live[(e.step - g.first_step) * warps + e.warp] |= e.mask;
    if (e.kind == Kind::barrier)
      for (std::uint32_t m = e.mask; m != 0; m &= m - 1) ++arrivals[32 * e.warp + std::countr_zero(m)];
  }

  // Goes backwards from the last step to find the steps in which each thread is alive. A thread is alive in
  // the last step if the thread arrived at every barrier of the block.
  const int barriers = arrivals.empty() ? 0 : *std::max_element(arrivals.begin(), arrivals.end());
  for (std::size_t w = 0; w < warps; ++w) {
    std::uint32_t alive = 0;
    for (std::size_t lane = 0; lane < 32; ++lane)
      alive |= static_cast<std::uint32_t>(arrivals[32 * w + lane] == barriers) << lane;
    alive &= present_lanes(g, static_cast<int>(w));
    for (std::size_t s = steps; s-- > 0;) alive = live[s * warps + w] |= alive;
  }
  return live;
}

std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step) {
  return warp_lanes(trace, block, step, live_lanes(trace, grid_index(trace, step), block));
}

std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step,
                                  const std::vector<std::uint32_t>& live) {
  const Grid& g = trace.grids[static_cast<std::size_t>(grid_index(trace, step))];
  const std::size_t warps = g.warps();
  const auto alive = [&](std::size_t warp) { return live[(step - g.first_step) * warps + warp]; };

  std::vector<std::uint32_t> working(warps);
  std::vector<WarpLanes> result(warps);
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = trace.events[i];
    if (!is_work(e.kind)) continue;
    working[e.warp] |= e.mask;
    if (e.mask != alive(e.warp)) result[e.warp].diverged = true;
  }

  const EventRange block_range = block_events(trace, grid_index(trace, step), block);
  // Returns whether a warp that does not work in this step waits at a barrier. The warp waits if the warp
  // reaches a barrier before it works again. If neither a barrier nor work follows, the warp waits only in a
  // stopped run, because the recording of such a run may lack the barrier.
  const auto waits = [&](std::size_t warp) -> bool {
    for (std::size_t i = range.first; i < block_range.last; ++i) {
      const Event& e = trace.events[i];
      if (e.warp == warp && (e.kind == Kind::barrier || is_work(e.kind))) return e.kind == Kind::barrier;
    }
    return static_cast<bool>(trace.stopped);
  };
  // Returns the lanes of a warp that still have work after this step.
  const auto later_work = [&](std::size_t warp) {
    std::uint32_t lanes = 0;
    for (std::size_t i = range.last; i < block_range.last; ++i)
      if (trace.events[i].warp == warp && is_work(trace.events[i].kind)) lanes |= trace.events[i].mask;
    return lanes;
  };
  for (std::size_t w = 0; w < warps; ++w) {
    const std::uint32_t present = present_lanes(g, static_cast<int>(w));
    const bool idle = working[w] == 0 && alive(w) != 0 && !waits(w);
    const std::uint32_t works_later = idle ? later_work(w) : 0;
    const LaneState inactive = working[w] != 0 ? LaneState::masked
                               : !idle         ? LaneState::waiting
                                               : LaneState::exited;
    for (int lane = 0; lane < 32; ++lane) {
      const auto in = [&](std::uint32_t mask) { return (mask >> lane & 1) != 0; };
      result[w].lanes[lane] = in(working[w])    ? LaneState::working
                              : in(works_later) ? LaneState::masked
                              : in(alive(w))    ? inactive
                              : in(present)     ? LaneState::exited
                                                : LaneState::absent;
    }
  }
  return result;
}

}  // namespace upsweep
