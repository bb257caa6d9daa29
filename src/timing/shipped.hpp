// Reads measurements of real GPUs that come with the program (assets/timings).
#pragma once
#include <span>
#include <string>

#include "timing/timings.hpp"

namespace upsweep {

// Returns the shipped timings, sorted by name. Timings::recorded is the file's name without the
// extension.
std::span<const Timings> shipped_timings();

// Reads timings from a file. If no file has this name, returns the shipped timings with this name; the name
// may have the extension or not. Throws RequestError in the same cases as read_timings().
Timings open_timings(const std::string& name);

}  // namespace upsweep
