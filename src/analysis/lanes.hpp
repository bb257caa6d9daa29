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

enum class LaneState : std::uint8_t {
  working,  // an access or an operation in this step
  masked,   // alive, but only came to the barrier (or passed by) while others of its warp worked
  waiting,  // alive in a warp none of whose lanes worked: the whole warp waits at the barrier
  exited,   // returned from the kernel: no longer alive
  absent,   // beyond the block's last thread
};

struct WarpLanes {
  std::array<LaneState, 32> lanes{};
  bool diverged = false;  // issued a request or operation with only some of its live lanes
};

// The lanes that are alive: the mask of warp w in step s is at [s * warps + w].
std::vector<std::uint32_t> live_lanes(const Trace& trace, int block);

// The threads of a block that lie in one warp, as a mask.
std::uint32_t present_lanes(const Trace& trace, int warp);

// One entry per warp of the block.
std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step);

}  // namespace upsweep
