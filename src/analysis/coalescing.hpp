// Computes the cost of global-memory requests by the model of trace/requests.hpp.
#pragma once
#include <cstdint>
#include <span>

#include "trace/requests.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns the cost of a recorded request to global memory. Lanes outside the buffer cost nothing.
SectorCost sector_cost(const Trace& trace, const Event& event);
// Returns how many different sectors the loads among these events read. `events` are indices into
// Trace::events of requests to global memory.
std::int64_t different_sectors(const Trace& trace, std::span<const int> events);

}  // namespace upsweep
