// Remembers the stores that may pass knowledge to other threads: volatile stores and atomics.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/knowledge.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// A volatile store or an atomic. `told` is what a thread learns when the thread reads the stored value.
struct Release {
  Value value{};
  std::uint32_t block = 0;
  Knowledge told[2];  // one element for each Scope
};

class Meetings {
 public:
  using Place = std::uint64_t;  // encodes a memory and an address in this memory

  // Returns the latest remembered release that stored this value at a place of memory, or null. The pointer
  // is valid until the next push().
  const Release* latest(Place place, const Value& value) const {
    for (std::uint32_t i = latest_at(place); i != none; i = nodes_[i].before)
      if (nodes_[i].release.value == value) return &nodes_[i].release;
    return nullptr;
  }
  // Returns the earliest remembered release that stored this value at a place of memory, or null.
  const Release* earliest(Place place, const Value& value) const {
    const Release* found = nullptr;
    for (std::uint32_t i = latest_at(place); i != none; i = nodes_[i].before)
      if (nodes_[i].release.value == value) found = &nodes_[i].release;
    return found;
  }
  // Remembers a release. If a place has more than 32 releases, the older half is forgotten.
  void push(Place place, Release release) {
    if (2 * used_ >= slots_.size()) grow();
    Slot& s = slot(place);
    if (s.latest == none) {
      ++used_;
      s.place = place;
    }
    if (s.count == most) forget(s);
    ++s.count;
    std::uint32_t node = free_;
    if (node == none) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({std::move(release), s.latest});
    } else {
      free_ = nodes_[node].before;
      nodes_[node] = {std::move(release), s.latest};
    }
    s.latest = node;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX, most = 32;
  struct Node {
    Release release;
    std::uint32_t before;
  };
  struct Slot {
    Place place = 0;
    std::uint32_t latest = none, count = 0;
  };

  std::uint32_t latest_at(Place place) const { return slots_.empty() ? none : slot(place).latest; }
  // Returns the slot of a place. If the place has no slot yet, returns a free slot. Neighbouring places have
  // neighbouring slots.
  const Slot& slot(Place place) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = ((place >> 7) * 0x9e3779b97f4a7c15u >> 20) + (place >> 2);
    while (slots_[at & mask].latest != none && slots_[at & mask].place != place) ++at;
    return slots_[at & mask];
  }
  Slot& slot(Place place) { return const_cast<Slot&>(std::as_const(*this).slot(place)); }

  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(64, 2 * slots_.size()));
    old.swap(slots_);
    for (const Slot& s : old)
      if (s.latest != none) slot(s.place) = s;
  }

  // Removes the earlier half of a slot's releases.
  void forget(Slot& s) {
    std::uint32_t last = s.latest;
    for (s.count = 1; s.count < most / 2; ++s.count) last = nodes_[last].before;
    for (std::uint32_t i = std::exchange(nodes_[last].before, none); i != none;) {
      const std::uint32_t before = nodes_[i].before;
      nodes_[i] = {{}, free_};
      free_ = i;
      i = before;
    }
  }

  // A hash table with open addressing. Its size is 0 or a power of two, and at most half of the slots are
  // used.
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::vector<Node> nodes_;
  std::uint32_t free_ = none;
};

}  // namespace upsweep
