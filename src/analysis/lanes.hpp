// The state of every lane of a block in one step.
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

// All events are work, except barriers and fences, which only wait.
inline bool is_work(Kind k) { return has_lanes(k); }

enum class LaneState : std::uint8_t {
  working,  // an access, an operation, a shuffle, a vote or a launch in this step
  masked,   // masked off: alive, but only other lanes worked; its warp does not wait, or works in this step
  waiting,  // alive, and no lane of its warp worked: the whole warp waits at a barrier, of this step or later
  exited,   // returned from the kernel: not alive, or without later work and a barrier left to wait for
  absent,   // beyond the block's last thread
};

struct WarpLanes {
  std::array<LaneState, 32> lanes{};
  bool diverged = false;  // the warp did some of its work with only some of its live lanes
};

// Returns masks of the live lanes of a block: `result[k * warps + w]` is for warp w and step k of the grid,
// both from 0.
std::vector<std::uint32_t> live_lanes(const Trace& trace, int grid, int block);

// Returns a mask of the lanes of a warp that have a thread in this grid.
std::uint32_t present_lanes(const Grid& grid, int warp);

// Returns one entry per warp of the block. The step says which grid the block is in. `live` must be the
// result of live_lanes() for that block.
std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step,
                                  const std::vector<std::uint32_t>& live);
std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step);

}  // namespace upsweep
