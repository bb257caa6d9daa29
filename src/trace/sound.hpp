// Whether a trace holds together, so that everything that reads it may rely on what trace.hpp says.
#pragma once
#include "base/message.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The first thing in which a trace contradicts itself, as a clause ("event 12 lies in step 40 of 15"); none
// if it does not. Every index is in range, every list in its order, every entry belongs to one event, every
// value comes from an earlier event of its thread (through a shuffle: of its warp).
Message contradiction(const Trace& trace);

}  // namespace upsweep
