// Checks a trace for contradictions, so that all its readers may rely on trace.hpp.
#pragma once
#include "base/message.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns the first contradiction in a trace as a clause ("event 12 lies in step 40 of 15"), or none. Without
// a contradiction, every index is in range, every list is sorted as documented, every entry belongs to one
// event, and every value comes from an earlier event of its thread (through a shuffle: of its warp).
Message contradiction(const Trace& trace);

}  // namespace upsweep
