// Recordings of measurements on real GPUs that come with the program (assets/timings).
#pragma once
#include <span>
#include <string>

#include "timing/timings.hpp"

namespace upsweep {

// By name; Timings::recorded is that name, without the extension.
std::span<const Timings> shipped_timings();

// A file; where there is none of that name, the shipped recording that is called so, with or without the
// extension. Throws RequestError as read_timings() does.
Timings open_timings(const std::string& name);

}  // namespace upsweep
