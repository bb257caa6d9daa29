// Computes the cost of global-memory requests by the model of trace/requests.hpp.
#pragma once
#include "trace/requests.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns the cost of a recorded request to global memory. Lanes outside the buffer cost nothing.
SectorCost sector_cost(const Trace& trace, const Event& event);

}  // namespace upsweep
