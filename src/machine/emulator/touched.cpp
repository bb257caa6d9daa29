#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "machine/emulator/apart.hpp"

namespace upsweep {
namespace {

constexpr std::uint32_t several = UINT32_MAX;  // stands for more than one block

using Stretches = std::vector<Stretch>;

// Sorts stretches (memory ranges) by buffer and begin, and merges overlapping stretches. Returns whether
// stretches of different blocks overlap.
bool join(Stretches& stretches) {
  std::ranges::sort(stretches, {}, [](const Stretch& s) { return std::pair(s.buffer, s.begin); });
  bool overlap = false;
  std::size_t kept = 0;
  for (const Stretch& s : stretches) {
    Stretch* const last = kept > 0 ? &stretches[kept - 1] : nullptr;
    if (last == nullptr || last->buffer != s.buffer || s.begin >= last->end) {
      stretches[kept++] = s;
      continue;
    }
    if (last->block != s.block) overlap = true, last->block = several;
    last->end = std::max(last->end, s.end);
  }
  stretches.resize(kept);
  return overlap;
}

// Returns whether a stretch of `some` overlaps a stretch of `joined` from another block.
bool meet(const Stretches& some, const Stretches& joined) {
  for (const Stretch& s : some) {
    auto other = std::ranges::upper_bound(joined, std::pair(s.buffer, s.begin), {},
                                          [](const Stretch& o) { return std::pair(o.buffer, o.end); });
    for (; other != joined.end() && other->buffer == s.buffer && other->begin < s.end; ++other)
      if (other->block != s.block) return true;
  }
  return false;
}

// Returns sorted stretches that cover the same bytes and do not overlap. The `block` of a returned stretch is
// the only block that accessed these bytes, or `several`.
Stretches disjoint(const Stretches& stretches) {
  struct Edge {
    std::uint8_t buffer;
    std::int64_t at;
    std::uint32_t block;
    bool begins;
  };
  std::vector<Edge> edges;
  for (const Stretch& s : stretches) {
    edges.push_back({s.buffer, s.begin, s.block, true});
    edges.push_back({s.buffer, s.end, s.block, false});
  }
  std::ranges::sort(edges, {}, [](const Edge& e) { return std::pair(e.buffer, e.at); });
  Stretches found;
  // For each block, the number of stretches that have begun before this edge and have not ended.
  std::map<std::uint32_t, int> open;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    if (!open.empty() && edges[i - 1].at < edge.at)
      found.push_back({.begin = edges[i - 1].at,
                       .end = edge.at,
                       .block = open.size() == 1 ? open.begin()->first : several,
                       .buffer = edge.buffer});
    if (edge.begins) ++open[edge.block];
    else if (--open[edge.block] == 0) open.erase(edge.block);
  }
  return found;
}

}  // namespace

bool influence_each_other(const Stretches& touched) {
  Stretches plain_stores, talking_stores, plain_loads, talking_loads;
  for (const Stretch& s : touched)
    (s.store ? s.talk ? talking_stores : plain_stores : s.talk ? talking_loads : plain_loads).push_back(s);
  if (join(plain_stores)) return true;
  if (meet(plain_loads, plain_stores) || meet(talking_loads, plain_stores) ||
      meet(talking_stores, plain_stores))
    return true;
  return meet(plain_loads, disjoint(talking_stores));
}

}  // namespace upsweep
