// Computes limits for the iterations of a loop, and for the launches that threads make. If a loop exceeds its
// limit, the machine examines whether the loop can end. If threads make too many launches, the run is
// stopped.
#pragma once
#include <cstdint>
#include <string_view>

#include "catalogue/plan.hpp"

namespace upsweep {

struct LoopLimits {
  std::uint32_t trips = UINT32_MAX;          // iterations of a loop without a block barrier
  std::uint32_t barrier_trips = UINT32_MAX;  // iterations of a loop with a block barrier
  std::uint32_t launches = UINT32_MAX;       // launches that threads make
};
// Returns limits that few correct kernels exceed for n elements. All machines use these limits.
LoopLimits loop_limits(const Plan& plan, int n);
// Returns the time in ms for which a loop with too many iterations may continue on a GPU. Returns 0 if the
// kernel text has a loop that clearly never ends. `rounds` is the limit in RecordOptions.
std::uint32_t patience_with_loops(std::string_view kernel_text, std::uint64_t rounds);

}  // namespace upsweep
