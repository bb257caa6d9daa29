// Knows the kernels whose runs never end.
#pragma once
#include <algorithm>

#include "catalogue/catalogue.hpp"

namespace upsweep {

// Returns true if a run of the kernel never ends. Such a run is stopped, but its recording is long.
inline bool is_endless(const Algorithm& a) {
  return std::ranges::any_of(a.flaws,
                             [](const Flaw& f) { return f.kind == "endless loop" || f.kind == "deadlock"; });
}

}  // namespace upsweep
