// Defines the codes in Question::choices.
#pragma once
#include <cstdint>
#include <optional>

namespace upsweep {

// The codes of the question kind "compare". Code 0 means that both runs have the same count. Each other code
// says which run has the smaller count, and in which range the ratio of the two counts is: up to 1.5, from
// 1.5 to 3, from 3 to 6, or above 6.
inline constexpr double comparison_borders[] = {1.5, 3, 6};
inline constexpr int comparison_codes = 9;
// Returns a code of the question kind "compare". `order` is -1 if the baseline has the smaller count, 1 if
// the changed run has the smaller count, and 0 if the counts are equal. `size` is the number of borders that
// are below the ratio.
std::int64_t comparison_of(int order, int size);
// Returns the code for two counts. Returns nullopt if the ratio of the counts is within 5 % of a border.
std::optional<std::int64_t> comparison_code(double baseline, double changed);

// The choices of the question kind "barrier": what can go wrong without the barrier.
enum class WithoutBarrier : std::uint8_t {
  nothing,
  reads_early,       // a thread can read an element before another thread has stored it
  overwrites_early,  // a thread can overwrite an element before another thread has read it
  both,
};
inline constexpr int barrier_codes = 4;

}  // namespace upsweep
