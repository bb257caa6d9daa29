#include "analysis/step_stores.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace upsweep {
namespace {

std::uint64_t place_key(int thread, std::int64_t address) {
  return static_cast<std::uint64_t>(thread) << 48 ^ static_cast<std::uint64_t>(address);
}

}  // namespace

bool StepStores::overwritten(std::size_t from, std::size_t to, int thread, std::int64_t address,
                             CancelCheck& check_cancelled) {
  if (!known_) {
    known_ = true;
    for (std::size_t i = step_.first; i < step_.last; i++) {
      check_cancelled();
      const Event& e = trace_.events[i];
      if (e.kind != Kind::shared_store) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        by_place_[place_key(thread_of(e, lane), trace_.lanes[at].address)].push_back(i);
      });
    }
  }
  const auto found = by_place_.find(place_key(thread, address));
  if (found == by_place_.end()) return false;
  const auto first = std::lower_bound(found->second.begin(), found->second.end(), from);
  return first != found->second.end() && *first < to;
}

const Event* StepStores::copied_by(std::size_t store, CancelCheck& check_cancelled) const {
  constexpr int most_loads = 64;
  const Event& e = trace_.events[store];
  if (e.parts > 1) return nullptr;
  const auto numbers_of = [&](const Event& access) {
    std::vector<Value> numbers;
    for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
      numbers.push_back(trace_.values[entry_of(access, std::countr_zero(m))]);
    return numbers;
  };
  const std::vector<Value> stored = numbers_of(e);
  const bool differ = std::ranges::adjacent_find(stored, std::ranges::not_equal_to()) != stored.end();
  int loads = 0;
  for (std::size_t i = store; i-- > block_.first && loads < most_loads;) {
    check_cancelled();
    const Event& load = trace_.events[i];
    if (load.warp != e.warp || !is_load(load.kind) || trace_.cells_of(load) != Cells::words) continue;
    ++loads;
    if ((load.mask & e.mask) == e.mask && load.parts == 1 && (differ || load.line == e.line) &&
        numbers_of(load) == stored)
      return &load;
  }
  return nullptr;
}

}  // namespace upsweep
