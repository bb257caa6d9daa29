#include "analysis/signal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trace/value.hpp"

namespace upsweep {

void Extremes::take(double number) {
  if (!std::isfinite(number)) return;
  const bool first = none();
  low = first ? number : std::min(low, number);
  high = first ? number : std::max(high, number);
}

void Extremes::take(const Extremes& other) {
  if (other.none()) return;
  take(other.low);
  take(other.high);
}

Series::Series(std::vector<double> numbers) : numbers_(std::move(numbers)) {
  for (std::size_t count = numbers_.size(); count > group;) {
    std::vector<Extremes> level((count + group - 1) / group);
    for (std::size_t i = 0; i < count; ++i)
      if (levels_.empty()) level[i / group].take(numbers_[i]);
      else level[i / group].take(levels_.back()[i]);
    count = level.size();
    levels_.push_back(std::move(level));
  }
}

Extremes Series::extremes(std::size_t begin, std::size_t end) const {
  Extremes found;
  // Level 0 holds the numbers. An entry of a higher level holds the extremes of one group of the level below.
  // At each level, the loop takes the entries at both ends of the range that do not fill a whole group. The
  // next level then takes the whole groups between these entries.
  for (std::size_t level = 0; begin < end; ++level) {
    const auto take = [&](std::size_t i) {
      if (level == 0) found.take(numbers_[i]);
      else found.take(levels_[level - 1][i]);
    };
    const bool has_groups = level < levels_.size();
    while (begin < end && !(has_groups && begin % group == 0)) take(begin++);
    while (begin < end && end % group != 0) take(--end);
    begin /= group;
    end /= group;
  }
  return found;
}

Signal signal_of(const Trace& t, std::vector<Value> sequential) {
  const Scalar type = t.settings.type;
  const std::size_t n = t.output.size();
  std::vector<double> a(n), b(n), y(n), z(n), difference(n);
  Signal s;
  double largest = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const long double is = scalar(t.output[j], type), due = scalar(sequential[j], type);
    a[j] = static_cast<double>(scalar(t.input[j], type, 0));
    b[j] = static_cast<double>(scalar(t.input[j], type, 1));
    y[j] = static_cast<double>(is);
    z[j] = static_cast<double>(due);
    const bool equal = is == due || (std::isnan(is) && std::isnan(due));
    difference[j] = equal ? 0 : static_cast<double>(is - due);
    s.a_varies = s.a_varies || a[j] != a[0];
    s.differing += !equal;
    if (std::isfinite(difference[j]) && std::abs(difference[j]) > largest) {
      largest = std::abs(difference[j]);
      s.largest = j;
    }
  }
  s.a = Series(std::move(a));
  s.b = Series(std::move(b));
  s.y = Series(std::move(y));
  s.sequential = Series(std::move(z));
  s.difference = Series(std::move(difference));
  s.exact = std::move(sequential);
  return s;
}

}  // namespace upsweep
