// The text of the Words view.
#pragma once
#include <string>
#include <vector>

#include "analysis/recording.hpp"

namespace upsweep {

// Returns sentences about the actions and the costs of the place's step. The first sentence is the step's
// name.
std::vector<std::string> sentences(const Recording& recording, const Place& place);
// Returns the same sentences as one paragraph.
std::string words(const Recording& recording, const Place& place);

}  // namespace upsweep
