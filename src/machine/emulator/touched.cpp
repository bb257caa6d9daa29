#include <algorithm>
#include <tuple>
#include <utility>

#include "machine/emulator/apart.hpp"

namespace upsweep {
namespace {

constexpr std::uint32_t several = UINT32_MAX;  // blocks

using Stretches = std::vector<Stretch>;

// Those of a kind by buffer and place; where they overlap, as one. Says whether blocks overlap.
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

// Whether one of `some` overlaps one of `joined` that is not its own block's.
bool meet(const Stretches& some, const Stretches& joined) {
  for (const Stretch& s : some) {
    auto other = std::ranges::upper_bound(joined, std::pair(s.buffer, s.begin), {},
                                          [](const Stretch& o) { return std::pair(o.buffer, o.end); });
    for (; other != joined.end() && other->buffer == s.buffer && other->begin < s.end; ++other)
      if (other->block != s.block) return true;
  }
  return false;
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
  join(talking_stores);
  return meet(plain_loads, talking_stores);
}

}  // namespace upsweep
