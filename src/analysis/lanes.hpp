// What every lane of a block did in one step.
//
// A thread is alive in a step if it has any event, a barrier included, in that step or a later one; in the
// steps after the last barrier of its block a thread that arrived there is alive too (without barriers, every
// thread is).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// What counts as a step's work: whatever an event does in its lanes. Barriers and fences only wait.
inline bool is_work(Kind k) { return has_lanes(k); }

enum class LaneState : std::uint8_t {
  working,  // an access, an operation, a shuffle, a vote or a launch in this step
  masked,   // alive, but only came to the barrier (or passed by) while others of its warp worked
  waiting,  // alive in a warp none of whose lanes worked: the whole warp waits at the barrier
  exited,   // returned from the kernel: no longer alive
  absent,   // beyond the block's last thread
};

struct WarpLanes {
  std::array<LaneState, 32> lanes{};
  bool diverged = false;  // did some of its work with only some of its live lanes
};

// The lanes that are alive in a block of a grid: the mask of warp w in the grid's k-th step is at [k * warps
// + w].
std::vector<std::uint32_t> live_lanes(const Trace& trace, int grid, int block);

// The threads of a grid's blocks that lie in one warp, as a mask.
std::uint32_t present_lanes(const Grid& grid, int warp);

// Returns one entry per warp of the block. The step says which grid the block is in. `live` must be the
// result of live_lanes() for that block.
std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step,
                                  const std::vector<std::uint32_t>& live);
std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step);

}  // namespace upsweep
