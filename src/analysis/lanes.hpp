// Finds the state of every lane of a block in one step.
//
// A thread is alive in a step if the thread has an event in this step or in a later step. A barrier is an
// event, too. A thread that arrived at the last barrier of its block is also alive in all steps after that
// barrier. In a block without barriers, every thread is alive in all steps.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// All events are work, except barriers and fences.
inline bool is_work(Kind k) { return has_lanes(k); }

enum class LaneState : std::uint8_t {
  working,  // the lane has an access, an operation, a shuffle, a vote or a launch in this step
  // Masked off: the lane is alive and does not work in this step, but another lane of its warp works. There
  // is a second case: no lane of the warp works in this step, the warp works again before its next barrier,
  // and the lane works in a later step.
  masked,
  // The lane is alive, but no lane of its warp works in this step. The warp waits at the barrier of this step
  // or at a later barrier, and no lane of the warp works before that barrier.
  waiting,
  // The lane has returned from the kernel, so the lane is not alive. There is a second case: no lane of the
  // warp works in this step, the warp does not wait (see `waiting`), and the lane has no later work.
  exited,
  absent,  // the block has no thread for this lane, because its last warp is not full
};

struct WarpLanes {
  std::array<LaneState, 32> lanes{};
  bool diverged = false;  // the warp did some of its work with only some of its live lanes
};

// Returns masks of the live lanes of a block: `result[k * warps + w]` is the mask of warp w in step k of the
// grid, both counted from 0.
std::vector<std::uint32_t> live_lanes(const Trace& trace, int grid, int block);

// Returns a mask of the lanes of a warp that have a thread in this grid.
std::uint32_t present_lanes(const Grid& grid, int warp);

// Returns the lanes of each warp of the block in one step. The step also determines the grid. `live` must be
// the result of live_lanes() for that block.
std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step,
                                  const std::vector<std::uint32_t>& live);
std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step);

}  // namespace upsweep
