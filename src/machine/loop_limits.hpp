// The maximum number of iterations of a kernel's loop. A run with more iterations is stopped.
#pragma once
#include <cstdint>

#include "catalogue/plan.hpp"

namespace upsweep {

struct LoopLimits {
  std::uint32_t trips = UINT32_MAX;          // for a loop that never waits
  std::uint32_t barrier_trips = UINT32_MAX;  // for a loop with a block barrier in it
};
// Returns limits that no loop of a correct kernel reaches for n elements. All machines use them.
LoopLimits loop_limits(const Plan& plan, int n);

}  // namespace upsweep
