#include "words/lane_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/grouped.hpp"

namespace upsweep {

std::optional<LaneFormula> LaneFormula::fit(const Dim3& block, const std::vector<int>& threads,
                                            const std::vector<int>& indices) {
  if (threads.size() < 2) return {};
  if (block.y == 1 && block.z == 1) {
    const auto p = upsweep::fit(threads, indices);
    if (!p) return {};
    return LaneFormula(block, {{p->scale, 0, 0}, p->offset});
  }
  const auto p = upsweep::fit(block, threads, indices);
  if (!p) return {};
  return LaneFormula(block, *p);
}

// Joins the terms of all coordinates and the offset. `term(k, scale)` returns one term without its sign, for
// coordinate k (0 is x) and a scale greater than 0.
template <class Term>
std::string LaneFormula::sum(Term term) const {
  std::array<std::size_t, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(pattern_.scale[a]) > std::abs(pattern_.scale[b]);
  });
  std::string all;
  const auto add = [&](bool negative, const std::string& text) {
    if (all.empty()) all = (negative ? "−" : "") + text;
    else all += (negative ? " − " : " + ") + text;
  };
  for (const std::size_t k : order)
    if (const long scale = pattern_.scale[k]; scale != 0) add(scale < 0, term(k, std::abs(scale)));
  if (pattern_.offset != 0 || all.empty()) add(pattern_.offset < 0, grouped(std::abs(pattern_.offset)));
  return all;
}

std::string LaneFormula::text() const {
  const bool flat = block_.y == 1 && block_.z == 1;
  return sum([&](std::size_t k, long scale) {
    return (scale == 1 ? "" : grouped(scale)) + (flat ? 't' : "xyz"[k]);
  });
}

std::string LaneFormula::with_numbers(int thread) const {
  const Dim3 place = block_.place(static_cast<unsigned>(thread));
  const std::array<long, 3> at{place.x, place.y, place.z};
  long index = pattern_.offset;
  for (std::size_t k = 0; k < 3; ++k) index += pattern_.scale[k] * at[k];
  const std::string numbers = sum([&](std::size_t k, long scale) {
    return scale == 1 ? grouped(at[k]) : fmt::format("{}·{}", grouped(scale), grouped(at[k]));
  });
  const std::string result = (index < 0 ? "−" : "") + grouped(std::abs(index));
  return numbers == result ? result : numbers + " = " + result;
}

}  // namespace upsweep
