// Computes what threads learn from each other through flags and atomics.
#include <algorithm>
#include <bit>

#include "analysis/happens_before.hpp"

namespace upsweep {
namespace {

std::uint64_t hash_of(std::uint64_t place, const Value& v) {
  std::uint64_t h = place;
  for (const std::uint32_t word : v) h = (h ^ word) * 0x9e3779b97f4a7c15u;
  return h;
}

}  // namespace

HappensBefore::Place HappensBefore::place_of(const Block& b, const Event& e, std::int64_t address) const {
  const std::uint64_t memory = is_shared(e.kind) ? 256 + std::uint64_t{b.index} : e.buffer;
  return memory << 36 | (static_cast<std::uint64_t>(address) & ((std::uint64_t{1} << 36) - 1));
}

void HappensBefore::synchronise(Block& b, const Event& e) {
  const bool atomic = is_atomic(e.kind);
  const auto device = static_cast<int>(Scope::device), block = static_cast<int>(Scope::block);
  std::uint32_t entry = e.first;
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
    const std::uint32_t agent = agent_of(b, e, std::countr_zero(m));
    for (const std::uint32_t end = entry + e.parts; entry < end; entry += atomic ? 2 : 1) {
      const Place place = place_of(b, e, trace_.lanes[entry].address);
      if (!is_store(e.kind)) acquire(b, agent, place, trace_.values[entry]);
      if (is_load(e.kind)) continue;
      const Value& before = trace_.values[entry];
      const Value& after = trace_.values[atomic ? entry + 1 : entry];
      if (atomic && before == after && e.detail == static_cast<std::uint8_t>(Atomic::compare_and_swap))
        continue;  // the compare-and-swap changed nothing
      const auto& released = b.live->agent(agent).released;
      Release release{after, b.index, {}};
      for (const int s : {block, device}) release.told[s] = together(b, agent, released[s]);
      // If the atomic found a value that another thread had released, the atomic also passes on the knowledge
      // of that release.
      if (atomic)
        if (const Release* earlier = told(place, before)) {
          release.told[device].add(earlier->told[device]);
          release.told[block].add(earlier->told[earlier->block == b.index ? block : device]);
        }
      meetings_.push(place, std::move(release));
    }
  }
}

void HappensBefore::acquire(Block& b, std::uint32_t agent, Place place, const Value& value) {
  const Release* release = told(place, value);
  if (release == nullptr) return;
  const auto device = static_cast<int>(Scope::device), block = static_cast<int>(Scope::block);
  if (release->told[device]) b.live->learn(agent).seen[device].add(release->told[device]);
  if (release->told[block] && release->block == b.index)
    b.live->learn(agent).seen[block].add(release->told[block]);
}

const Release* HappensBefore::told(Place place, const Value& value) {
  if (const Release* release = meetings_.latest(place, value)) return release;
  // A GPU records an atomic some time after the atomic has happened. Meanwhile, another thread may read the
  // atomic's result and record this read first. So if no release was recorded before the read, looks for an
  // atomic that stored `value` and was recorded later.
  if (!on_gpu_) return nullptr;
  if (moment_of_.empty()) {
    moment_of_.resize(trace_.events.size());
    Moment m = 0;
    for (const std::uint32_t i : issue_order(trace_)) {
      moment_of_[i] = ++m;
      const Event& e = trace_.events[i];
      if (is_atomic(e.kind))
        for (std::uint32_t rest = e.mask; rest != 0; rest &= rest - 1) {
          const int lane = std::countr_zero(rest);
          const std::uint32_t entry = entry_of(e, lane, 1);
          ahead_.emplace(hash_of(place_of(blocks_[block_of_event_[i]], e, trace_.lanes[entry - 1].address),
                                 trace_.values[entry]),
                         std::pair(i, lane));
        }
    }
  }
  ahead_release_ = told_ahead(place, value, 0);
  return ahead_release_.told[0] || ahead_release_.told[1] ? &ahead_release_ : nullptr;
}

Release HappensBefore::told_ahead(Place place, const Value& value, int depth) {
  constexpr int most = 256;  // the largest number of atomics that the search follows, one after another
  Release release{value, UINT32_MAX, {}};
  const auto [begin, end] = ahead_.equal_range(hash_of(place, value));
  for (auto it = begin; it != end && depth < most; ++it) {
    const auto [event, lane] = it->second;
    const Event& e = trace_.events[event];
    const Block& b = blocks_[block_of_event_[event]];
    if (moment_of_[event] <= now_ || !b.live) continue;
    const std::size_t agent = agent_of(b, e, lane);
    release.block = b.index;
    for (int s = 0; s < 2; ++s) release.told[s] = together(b, agent, b.live->agent(agent).released[s]);
    const Value& before = trace_.values[entry_of(e, lane)];
    if (const Release* earlier = meetings_.earliest(place, before)) {
      release.told[1].add(earlier->told[1]);
      return release;
    }
    const Release earlier = told_ahead(place, before, depth + 1);
    release.told[1].add(earlier.told[1]);
    return release;
  }
  return release;
}

}  // namespace upsweep
