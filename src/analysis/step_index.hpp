// What views ask about one step of a block again and again: found once, in time in proportion to the step's
// events.
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/facts.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct StepIndex {
  StepIndex() = default;
  StepIndex(const Trace& trace, int block, int step);

  // Indices of Trace::events in canonical order. `requests` is what requests() returns, `shared` what
  // shared_requests() returns; `touching_shared` has the atomics on shared memory, too.
  std::vector<int> requests, shared, touching_shared, global, exchanges;
  // Of the events above: the first shared request with most wavefronts, the first request to global memory
  // that wastes most sectors, and the first shuffle or else the first vote; -1 if there is none.
  int costliest_shared = -1, most_wasteful = -1, first_exchange = -1;

  SharedTotals shared_totals;  // of the shared requests
  bool shared_alike = true;    // each of them takes as many wavefronts, in as many groups
  GlobalTotals global_load, global_store;
  std::int64_t votes = 0, warp_barriers = 0, device_fences = 0, block_fences = 0;
  bool has_barrier = false;
};

}  // namespace upsweep
