// Notes when a recording was made, and which version of this program made it.
#pragma once
#include "trace/trace.hpp"

namespace upsweep {

// Writes the current time and this program's version into a trace that has just been recorded.
void add_provenance(Trace& trace);

// Returns "21 November 2026" for "2026-11-21T13:23:15Z". Returns any other text unchanged.
std::string day_of(const std::string& date);

}  // namespace upsweep
