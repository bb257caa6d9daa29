// Describes a correct output in sentences: its mean, and how to turn an inclusive scan into an exclusive
// scan, or an exclusive scan into an inclusive scan.
#pragma once
#include <string>

#include "analysis/recording.hpp"

namespace upsweep {

// Returns "The mean is 3.125: 25 divided by 8 elements.", or an empty text if there is no mean.
std::string mean_text(const Recording& recording);

// Returns a sentence, with numbers, that says how to turn this output into the output of the other form of
// scan (inclusive or exclusive). Returns an empty text if Recording::other_scan is empty.
std::string other_scan_text(const Recording& recording);

}  // namespace upsweep
