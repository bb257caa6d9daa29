// Tells tests how many cases to try.
#pragma once
#include <cstdlib>

namespace upsweep {

// Returns true if tests must try all their cases (`./test --long` sets the variable).
inline bool tries_everything() { return std::getenv("UPSWEEP_LONG") != nullptr; }

}  // namespace upsweep
