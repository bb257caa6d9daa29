#include "machine/loop_limits.hpp"

#include <algorithm>

namespace upsweep {

LoopLimits loop_limits(const Plan& plan, int n) {
  std::int64_t threads = 1024;
  for (const PlannedLaunch& l : plan.launches)
    threads = std::min<std::int64_t>(threads, std::max(1, l.threads));
  const auto limited = [](std::int64_t x) {
    return static_cast<std::uint32_t>(std::min<std::int64_t>(x, 1 << 27));
  };
  const std::int64_t all = 4 * std::int64_t{n};
  return {
      .trips = limited(all + 1024),
      .barrier_trips = limited(std::min<std::int64_t>(n, std::max<std::int64_t>(4096, all / threads)) + 64)};
}

}  // namespace upsweep
