#include "words/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string index_text(const std::vector<int>& threads, const std::vector<int>& indices) {
  if (const auto p = fit(threads, indices)) return text(*p);
  std::vector<int> sorted = indices;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return ranges(sorted, 2);
}

}  // namespace upsweep
