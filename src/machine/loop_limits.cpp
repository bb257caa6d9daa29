#include "machine/loop_limits.hpp"

#include <algorithm>

#include "machine/machine.hpp"
#include "trace/kernel_text.hpp"

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
      .barrier_trips = limited(std::min<std::int64_t>(n, std::max<std::int64_t>(4096, all / threads)) + 64),
      .launches = limited(all + 4096)};
}

std::uint32_t patience_with_loops(std::string_view kernel_text, std::uint64_t rounds) {
  const KernelText text(kernel_text);
  for (const KernelText::Statement& s : text.statements())
    if (s.kind == KernelText::Statement::Kind::loop && text.never_ends(s.first)) return 0;
  constexpr std::uint64_t usual = 2000, most = 1'000'000;
  return static_cast<std::uint32_t>(
      std::min(usual * std::min(rounds, most * default_rounds) / default_rounds, most));
}

}  // namespace upsweep
