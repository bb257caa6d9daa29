// What recordings of format 1 say in words or leave to their kernel's text, as the codes that a trace has
// now. Nothing else reads a fact out of a sentence.
#pragma once
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// Fills in Trace::stopped, driver and nvrtc, the details of the totals and the names of shared memory.
// `stopped` and `versions` are sentences of a file of format 1; one that says nothing known leaves
// Stop::unknown and 0.
void read_as_codes(const std::string& stopped, const std::string& versions, Trace& trace);

}  // namespace upsweep
