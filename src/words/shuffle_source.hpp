// Says in words from which lane a shuffled value comes.
#pragma once
#include <string>

#include "analysis/actions.hpp"

namespace upsweep {

// Returns "the value of lane t+1" for a value that a shuffle takes. t is the thread's own lane.
std::string shuffle_source_text(const Expression& shuffled);

}  // namespace upsweep
