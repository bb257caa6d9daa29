// What every lane of a block did in one step.
//
// A thread is alive in a step if it has any event, a barrier included, in that step or a later one. A thread
// that arrived at the last barrier of its block is alive in the steps after it, too. Without barriers, every
// thread is alive.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// The states of a lane. All events are work, except barriers and fences, which only wait.
inline bool is_work(Kind k) { return has_lanes(k); }

enum class LaneState : std::uint8_t {
  working,  // an access, an operation, a shuffle, a vote or a launch in this step
  masked,   // alive, but only came to the barrier (or passed by) while others of its warp worked
  waiting,  // alive in a warp none of whose lanes worked: the whole warp waits at a barrier, of this step or
            // later
  exited,   // returned from the kernel: no longer alive, or there is nothing left to wait for
  absent,   // beyond the block's last thread
};

struct WarpLanes {
  std::array<LaneState, 32> lanes{};
  bool diverged = false;  // it did some of its work with only some of its live lanes
};

// Returns the live lanes of a block of a grid: the mask of warp w in the grid's k-th step is at [k * warps +
// w].
std::vector<std::uint32_t> live_lanes(const Trace& trace, int grid, int block);

// Returns a mask of the lanes of a warp that have a thread in this grid.
std::uint32_t present_lanes(const Grid& grid, int warp);

// Returns one entry per warp of the block. The step says which grid the block is in. `live` must be the
// result of live_lanes() for that block.
std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step,
                                  const std::vector<std::uint32_t>& live);
std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step);

}  // namespace upsweep
