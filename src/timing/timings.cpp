#include "timing/timings.hpp"

#include <algorithm>
#include <cmath>

namespace upsweep {

Spread spread_of(std::span<const double> seconds) {
  if (seconds.empty()) return {};
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
  };
  return {at(0.5), at(0.25), at(0.75), sorted.front(), sorted.back(), static_cast<int>(sorted.size())};
}

const Timing* ceiling_of(const Timings& all, const Timing& t) {
  const Timing* best = nullptr;
  const auto distance = [&](const Timing& c) {
    return std::abs(std::log2(std::max(1.0, c.bytes)) - std::log2(std::max(1.0, t.bytes)));
  };
  for (const Timing& c : all.rows)
    if (c.contender == Contender::copy && c.cache == t.cache && c.seconds.count > 0 &&
        (!best || distance(c) < distance(*best)))
      best = &c;
  return best;
}

double share_of_ceiling(const Timings& all, const Timing& t) {
  const Timing* ceiling = ceiling_of(all, t);
  if (!ceiling || t.seconds.count == 0 || ceiling->bytes_per_second() <= 0) return -1;
  return t.bytes_per_second() / ceiling->bytes_per_second();
}

}  // namespace upsweep
