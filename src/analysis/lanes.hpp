// What every lane of a block did in one step.
#pragma once
#include <array>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

enum class LaneState : std::uint8_t {
  working,  // an access or an operation in this step
  masked,   // alive, but only came to the barrier (or passed by) while others of its warp worked
  waiting,  // alive in a warp none of whose lanes worked: the whole warp waits at the barrier
  exited,   // returned from the kernel before this step
  absent,   // beyond the block's last thread
};

struct WarpLanes {
  std::array<LaneState, 32> lanes{};
  bool diverged = false;
};

// One entry per warp of the block.
std::vector<WarpLanes> warp_lanes(const Trace& trace, int block, int step);

}  // namespace upsweep
