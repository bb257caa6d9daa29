#include "words/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "words/names.hpp"

namespace upsweep {

std::optional<Pattern> fit(const std::vector<int>& threads, const std::vector<int>& indices) {
  if (threads.empty() || threads.size() != indices.size()) return {};
  Pattern p{0, indices[0]};
  if (threads.size() > 1) {
    const int run = threads[1] - threads[0], rise = indices[1] - indices[0];
    if (run == 0 || rise % run != 0) return {};
    p.scale = rise / run;
    p.offset = indices[0] - p.scale * threads[0];
  }
  for (std::size_t i = 0; i < threads.size(); i++)
    if (p.scale * threads[i] + p.offset != indices[i]) return {};
  return p;
}

std::string text(const Pattern& p) {
  if (p.scale == 0) return std::to_string(p.offset);
  std::string t = p.scale == 1 ? "t" : p.scale == -1 ? "−t" : fmt::format("{}t", p.scale);
  if (p.offset > 0) t += fmt::format("+{}", p.offset);
  if (p.offset < 0) t += fmt::format("−{}", -p.offset);
  return t;
}

std::optional<PlacePattern> fit(const Dim3& block, const std::vector<int>& threads,
                                const std::vector<int>& indices) {
  if (threads.empty() || threads.size() != indices.size()) return {};
  const auto place = [&](std::size_t i) {
    const Dim3 p = block.place(static_cast<unsigned>(threads[i]));
    return std::array<long, 3>{p.x, p.y, p.z};
  };
  // The scale of a coordinate follows from the first thread that differs from threads[0] only in this
  // coordinate.
  PlacePattern p;
  const std::array<long, 3> origin = place(0);
  std::array<bool, 3> known{};
  for (std::size_t i = 1; i < threads.size(); ++i) {
    const std::array<long, 3> at = place(i);
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<long, 3> alone = origin;
      alone[k] = at[k];
      const long run = at[k] - origin[k], rise = long{indices[i]} - indices[0];
      if (known[k] || run == 0 || at != alone || rise % run != 0) continue;
      p.scale[k] = rise / run;
      known[k] = true;
    }
  }
  const auto scaled = [&](const std::array<long, 3>& at) {
    return p.scale[0] * at[0] + p.scale[1] * at[1] + p.scale[2] * at[2];
  };
  p.offset = indices[0] - scaled(origin);
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (scaled(place(i)) + p.offset != indices[i]) return {};
  return p;
}

std::string text(const PlacePattern& p) {
  // The coordinate with the largest factor comes first, as in 32y+x.
  std::array<std::size_t, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(p.scale[a]) > std::abs(p.scale[b]); });
  std::string all;
  for (const std::size_t k : order) {
    const long scale = p.scale[k];
    if (scale == 0) continue;
    if (scale < 0) all += "−";
    else if (!all.empty()) all += "+";
    if (std::abs(scale) > 1) all += std::to_string(std::abs(scale));
    all += "xyz"[k];
  }
  if (all.empty()) return std::to_string(p.offset);
  if (p.offset > 0) all += fmt::format("+{}", p.offset);
  if (p.offset < 0) all += fmt::format("−{}", -p.offset);
  return all;
}

namespace {

// Returns the pattern of the indices as text. Returns nullopt if the indices follow no pattern.
std::optional<std::string> pattern_text(const Dim3& block, const std::vector<int>& threads,
                                        const std::vector<int>& indices) {
  if (block.y == 1 && block.z == 1) {
    if (const auto p = fit(threads, indices)) return text(*p);
  } else if (const auto p = fit(block, threads, indices)) {
    return text(*p);
  }
  return {};
}

std::string one_index(const Dim3& block, const std::vector<int>& threads, const std::vector<int>& indices,
                      int parts = 1) {
  if (const auto first = pattern_text(block, threads, indices)) {
    if (parts == 1) return *first;
    std::vector<int> last = indices;
    for (int& i : last) i += parts - 1;
    return fmt::format("{} … {}", *first, *pattern_text(block, threads, last));
  }
  std::vector<int> all;
  for (const int i : indices)
    for (int part = 0; part < parts; ++part) all.push_back(i + part);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return ranges(all, 2);
}

}  // namespace

bool follow_pattern(const Dim3& block, const std::vector<int>& threads, const std::vector<int>& indices) {
  return pattern_text(block, threads, indices).has_value();
}

std::string index_text(const Dim3& block, std::int64_t columns, const std::vector<int>& threads,
                       const std::vector<int>& indices, int parts) {
  if (columns <= 0) return fmt::format("[{}]", one_index(block, threads, indices, parts));
  std::vector<int> rows, across;
  for (const int i : indices) {
    rows.push_back(static_cast<int>(i / columns));
    across.push_back(static_cast<int>(i % columns));
  }
  return fmt::format("[{}][{}]", one_index(block, threads, rows), one_index(block, threads, across, parts));
}

std::string index_text(std::int64_t index, std::int64_t columns) {
  return columns <= 0 ? fmt::format("[{}]", index)
                      : fmt::format("[{}][{}]", index / columns, index % columns);
}

}  // namespace upsweep
