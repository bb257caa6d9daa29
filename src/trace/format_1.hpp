// Reads old files. Recordings of format 1 say some facts in sentences, for which a trace has codes now, or
// only in their kernel's text. No other code reads facts from sentences.
#pragma once
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// Sets Trace::stopped, driver and nvrtc, the details of the totals and the names of shared memory. `stopped`
// and `versions` are sentences of a file of format 1. An unknown sentence becomes Stop::unknown or 0.
void read_as_codes(const std::string& stopped, const std::string& versions, Trace& trace);

}  // namespace upsweep
