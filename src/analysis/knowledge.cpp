#include "analysis/knowledge.hpp"

#include <algorithm>

namespace upsweep {

Knowledge combined(std::vector<Known> entries) {
  if (entries.empty()) return nullptr;
  std::sort(entries.begin(), entries.end(), [](const Known& a, const Known& b) {
    return a.who != b.who ? a.who < b.who : a.until > b.until;
  });
  entries.erase(std::unique(entries.begin(), entries.end(),
                            [](const Known& a, const Known& b) { return a.who == b.who; }),
                entries.end());
  return std::make_shared<const std::vector<Known>>(std::move(entries));
}

Knowledge combined(std::vector<Knowledge> parts) {
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  std::erase(parts, nullptr);
  if (parts.empty()) return nullptr;
  if (parts.size() == 1) return parts.front();
  std::vector<Known> entries;
  for (const Knowledge& k : parts) entries.insert(entries.end(), k->begin(), k->end());
  return combined(std::move(entries));
}

void add(Knowledge& to, const Knowledge& more) {
  if (more && more != to) to = to ? combined(std::vector<Knowledge>{to, more}) : more;
}

Knowledge folded(const Knowledge& k, std::uint32_t block, Moment until) {
  std::vector<Known> entries{{std::uint64_t{block} << 32, until}};
  if (k)
    for (const Known& e : *k)
      if (e.who >> 32 != block || e.until > until) entries.push_back(e);
  return combined(std::move(entries));
}

Moment until_of(const Knowledge& k, std::uint64_t who) {
  const auto found =
      std::lower_bound(k->begin(), k->end(), who, [](const Known& e, std::uint64_t w) { return e.who < w; });
  return found != k->end() && found->who == who ? found->until : 0;
}

}  // namespace upsweep
