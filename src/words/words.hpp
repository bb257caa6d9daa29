// Returns the sentences that the Words view shows.
#pragma once
#include <string>
#include <vector>

#include "analysis/recording.hpp"

namespace upsweep {

// Returns sentences about the actions and the costs of a step. The first sentence is the name of the step.
std::vector<std::string> sentences(const Recording& recording, const Place& place);
// Returns the same sentences as one paragraph.
std::string words(const Recording& recording, const Place& place);

}  // namespace upsweep
