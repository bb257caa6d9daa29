#include "timing/timings.hpp"

#include <algorithm>
#include <cmath>

namespace upsweep {

Spread spread_of(std::span<const double> seconds) {
  Spread spread;
  if (seconds.empty()) return spread;
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::sort(sorted.begin(), sorted.end());
  // Returns the quantile for a fraction from 0 to 1. Interpolates between the two nearest samples, as R and
  // NumPy do by default.
  const auto at = [&](double fraction) {
    const double place = fraction * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
  };
  spread.median = at(0.5);
  spread.lower_quartile = at(0.25);
  spread.upper_quartile = at(0.75);
  spread.least = sorted.front();
  spread.most = sorted.back();
  spread.count = static_cast<int>(sorted.size());
  return spread;
}

double least_bytes(std::int64_t inputs, std::int64_t results, int bytes_per_element) {
  return static_cast<double>(inputs + results) * bytes_per_element;
}

const Timing* ceiling_of(const Timings& all, const Timing& t) {
  if (t.contender == Contender::processor || !(t.bytes > 0)) return nullptr;
  const Timing* best = nullptr;
  const auto distance = [&](const Timing& row) { return std::abs(std::log(row.bytes / t.bytes)); };
  for (const Timing& row : all.rows) {
    if (row.contender != Contender::copy || row.cache != t.cache || !(row.bytes_per_second() > 0)) continue;
    const bool nearer = !best || distance(row) < distance(*best);
    const bool faster =
        best && distance(row) == distance(*best) && row.bytes_per_second() > best->bytes_per_second();
    if (nearer || faster) best = &row;
  }
  return best;
}

double share_of_ceiling(const Timings& all, const Timing& t) {
  const Timing* ceiling = ceiling_of(all, t);
  return ceiling && was_measured(t) ? t.bytes_per_second() / ceiling->bytes_per_second() : -1;
}

}  // namespace upsweep
