// Reads old files. In recordings of format 1, some facts are stored as sentences, and some facts are only in
// the kernel's text. Newer formats store codes instead. No other code reads facts from sentences.
#pragma once
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// Sets Trace::stopped, driver and nvrtc, the details of the totals and the names of shared memory. `stopped`
// and `versions` are sentences of a file of format 1. If `stopped` is an unknown sentence, sets
// Stop::unknown. If `versions` is unknown, sets both versions to 0.
void read_as_codes(const std::string& stopped, const std::string& versions, Trace& trace);

}  // namespace upsweep
