// Does it matter? What a change of a kernel does to its wavefronts and to its time, in a sentence.
#pragma once
#include <span>
#include <string>

#include "timing/timings.hpp"

namespace upsweep {

// Of two variants over the same sizes. A difference counts where the one's quartiles lie beyond the other's
// and the medians are at least 1 % apart: less nobody would choose by. One that a size has alone counts where
// a neighbour's medians differ likewise by half as much, or the quartiles of how much faster it is lie beyond
// the neighbours', too.
struct Change {
  std::string name;                       // what the second does and the first does not: "Padding"
  std::span<const Timing> before, after;  // by size, in any order; sizes that only one has are left out
  // Of one block of each, as the analysis counts them; -1 where they are not known.
  double wavefronts_before = -1, wavefronts_after = -1;
};

enum class Verdict { same, faster, slower };
// Of one size, and how many times as long the slower of the two takes (1 where it does not count).
struct Difference {
  Verdict verdict = Verdict::same;
  double factor = 1;
};
Difference difference(const Spread& before, const Spread& after);

// Whether a kernel moves nearly what a copy moves in its time, and is no mere launch: less work elsewhere
// would not make it faster.
bool waits_for_global_memory(const Timings& all, const Timing& t);

// "Padding removes 1,071 of 1,593 wavefronts of a block and is 1.8 × faster at 2^14, but 2 % slower from 2^24
// on: there the kernel moves 82 % of what a copy moves in that time and waits for global memory."
// `all` has the copy ceiling and the launch overhead.
std::string does_it_matter(const Timings& all, const Change& change);

}  // namespace upsweep
