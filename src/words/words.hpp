// The Words view as text.
#pragma once
#include <string>
#include <vector>

#include "analysis/recording.hpp"

namespace upsweep {

// What happens in the place's step, with its numbers. The first sentence is the step's name.
std::vector<std::string> sentences(const Recording& recording, const Place& place);
// The same as one paragraph.
std::string words(const Recording& recording, const Place& place);

}  // namespace upsweep
