// When a recording was made and by which version of this program.
#pragma once
#include "trace/trace.hpp"

namespace upsweep {

// Writes the present moment and this program's version into a trace that has just been recorded.
void stamp(Trace& trace);

// "21 November 2026" for "2026-11-21T13:23:15Z"; anything else as it is.
std::string day_of(const std::string& date);

}  // namespace upsweep
