// The reason for the cost of one request to shared memory, in words.
#pragma once
#include <string>

#include "analysis/because.hpp"

namespace upsweep {

// Returns one to three sentences that lead from the distances between the lanes' words to the number of
// wavefronts.
std::string reason_text(const Because& b);

}  // namespace upsweep
