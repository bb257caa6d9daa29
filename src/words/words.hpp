// The text of the Words view.
#pragma once
#include <string>
#include <vector>

#include "analysis/recording.hpp"

namespace upsweep {

// Returns what happens in the place's step, with its numbers. The first sentence is the step's name.
std::vector<std::string> sentences(const Recording& recording, const Place& place);
// Returns the same as one paragraph.
std::string words(const Recording& recording, const Place& place);

}  // namespace upsweep
