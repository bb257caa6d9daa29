// Checks a trace for contradictions. A trace without contradictions obeys all rules in trace.hpp.
#pragma once
#include "base/message.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns the first contradiction in a trace as a part of a sentence ("event 12 lies in step 40 of 15").
// Returns an empty message if the trace has no contradiction.
//
// In a trace without contradictions, every index is in range, every list is sorted as documented, and every
// entry belongs to one event. Every value comes from an earlier event of its thread, or through a shuffle
// from another lane of the warp.
Message contradiction(const Trace& trace);

}  // namespace upsweep
