#include "base/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/language.hpp"

namespace upsweep {
namespace {

// Returns the smallest number of insertions, deletions and replacements that turn a into b.
int distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i));
    for (std::size_t j = 1; j <= b.size(); ++j)
      diagonal =
          std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])}));
  }
  return row.back();
}

}  // namespace

std::string_view nearest(std::string_view typed, std::span<const std::string_view> names) {
  std::string_view best;
  if (typed.empty()) return best;  // every short name would be near
  // A wrong number is not a typing mistake, so no other number is suggested.
  if (std::ranges::all_of(typed, [](char c) { return c >= '0' && c <= '9'; })) return best;
  int least = static_cast<int>(std::max<std::size_t>(1, typed.size() / 2)) + 1;
  for (const std::string_view name : names)
    if (const int d = distance(typed, name); d < least) {
      least = d;
      best = name;
    }
  return best;
}

std::string guess(std::string_view typed, std::span<const std::string_view> names, std::string_view before) {
  const std::string_view meant = nearest(typed, names);
  if (meant.empty()) return "";
  return std::string(tr(" (did you mean ")).append(before).append(meant).append("?)");
}

}  // namespace upsweep
