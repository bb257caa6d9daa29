// The Words view as text.
#pragma once
#include <string>

#include "analysis/recording.hpp"

namespace upsweep {

// One paragraph that says what happens in the place's step, with its numbers. The first sentence is the
// step's name.
std::string words(const Recording& recording, const Place& place);

}  // namespace upsweep
