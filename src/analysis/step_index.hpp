// Indexes one step of a block. Views use this index in every frame. Building the index takes time in
// proportion to the number of the step's events.
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/facts.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct StepIndex {
  StepIndex() = default;
  StepIndex(const Trace& trace, int block, int step);

  // Indices into Trace::events, ascending. `requests` is the result of requests(), and `shared` is the result
  // of shared_requests(). `touching_shared` has the events of `shared` and the atomics on shared memory.
  std::vector<int> requests, shared, touching_shared, global, exchanges;
  // Indices into Trace::events, or -1 if there is no such request. `costliest_shared` is the shared request
  // with the most wavefronts. `most_wasteful` is the request to global memory that wastes the most sectors.
  // `first_exchange` is the first shuffle, or the first vote if there is no shuffle. If several requests are
  // equally costly or wasteful, the first of these requests is taken.
  int costliest_shared = -1, most_wasteful = -1, first_exchange = -1;

  SharedTotals shared_totals;  // the totals of `shared`
  // True if all requests in `shared` have the same number of wavefronts and the same number of lane groups.
  bool shared_alike = true;
  GlobalTotals global_load, global_store;
  std::int64_t votes = 0, warp_barriers = 0, device_fences = 0, block_fences = 0;
  bool has_barrier = false;
};

}  // namespace upsweep
