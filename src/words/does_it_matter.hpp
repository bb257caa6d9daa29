// Answers the question "Does it matter?" in sentences that say how a change affects the wavefronts and the
// time of a kernel.
#pragma once
#include <span>
#include <string>

#include "timing/timings.hpp"

namespace upsweep {

// The times of two variants over the same sizes. A difference at a size counts if the quartiles of the times
// do not overlap and the medians differ by at least 1 %. A smaller difference is no reason to choose a
// variant.
//
// If no neighbouring size has the same verdict, the difference may be chance. Then it counts only in two
// cases:
// - At a neighbouring size, the medians differ in the same direction, and by more than their uncertainty.
// - The range of the speed-up at this size overlaps no range of a neighbouring size. The speed-up is the time
//   before the change divided by the time after the change. The quartiles of the times give its range.
struct Change {
  std::string name;  // what changes from the first variant to the second: "Padding"
  // The rows of each variant: one row for each size, in any order. A size that only one variant has is
  // ignored.
  std::span<const Timing> before, after;
  // The wavefronts of a whole run of each variant, as the analysis counts them; -1 if they are not known.
  double wavefronts_before = -1, wavefronts_after = -1;
  // The n and the block sizes for which the wavefronts were counted. The text mentions a time only if the
  // time was measured with the same n and block sizes.
  int n = 0, block_before = 0, block_after = 0;
};

enum class Verdict { same, faster, slower };
// The verdict for one size, and the time of the slower variant divided by the time of the faster variant (1
// if the difference does not count).
struct Difference {
  Verdict verdict = Verdict::same;
  double factor = 1;
};
Difference difference(const Spread& before, const Spread& after);

// Returns whether a kernel moves at least 60 % of the bytes that a copy moves in the same time, and takes
// more than twice as long as an empty kernel. Fewer operations or fewer wavefronts of shared memory would
// hardly make such a kernel faster.
bool waits_for_global_memory(const Timings& all, const Timing& t);

// Returns "Padding removes 1,071 of the run's 1,593 wavefronts at n = 2^14 and is 1.8 × faster there. Padding
// is 1.8 × faster at 2^14, but 2 % slower from 2^24 on: there the kernel waits for global memory, and moves
// 82 % of the bytes that a copy moves in that time."
//
// The first sentence is about the recorded n. If no time was measured for that n, the sentence says that the
// time is missing. The second sentence is about all measured sizes. `all` must have the copy ceiling and the
// launch overhead.
std::string does_it_matter(const Timings& all, const Change& change);

}  // namespace upsweep
