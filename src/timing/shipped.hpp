// Measurements of real GPUs that come with the program (assets/timings).
#pragma once
#include <span>
#include <string>

#include "timing/timings.hpp"

namespace upsweep {

// Sorted by name. Timings::recorded is the name without the extension.
std::span<const Timings> shipped_timings();

// Reads a file. If no file has this name, reads the shipped recording with this name, with or without the
// extension. Throws RequestError as read_timings() does.
Timings open_timings(const std::string& name);

}  // namespace upsweep
