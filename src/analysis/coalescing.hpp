// Global-memory requests, by the model of trace/requests.hpp.
#pragma once
#include "trace/requests.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The cost of a recorded request to global memory; lanes outside of the buffer ask for nothing.
SectorCost sector_cost(const Trace& trace, const Event& event);

}  // namespace upsweep
