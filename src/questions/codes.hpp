// The codes in Question::choices.
#pragma once
#include <cstdint>
#include <optional>

namespace upsweep {

// A choice of the kind compare is 0 if both runs need the same. Otherwise the choice says which run needs
// less, and how many times as much the other run needs: up to 1.5 times, 1.5 to 3 times, 3 to 6 times, or
// more.
inline constexpr double comparison_borders[] = {1.5, 3, 6};
inline constexpr int comparison_codes = 9;
// Returns a choice. `order` is -1 if the baseline needs less, 1 if the changed run does, and 0 if both need
// the same. `size` counts the borders below the ratio.
std::int64_t comparison_of(int order, int size);
// Returns the choice for two counts, or nothing if their ratio is within 5 % of a border.
std::optional<std::int64_t> comparison_code(double baseline, double changed);

// The choices of the kind barrier: what can go wrong without the barrier.
enum class WithoutBarrier : std::uint8_t {
  nothing,
  reads_early,       // a thread can read an element before another thread has stored it
  overwrites_early,  // a thread can overwrite an element before another thread has read it
  both,
};
inline constexpr int barrier_codes = 4;

}  // namespace upsweep
