// An index of one step of a block, for everything that views look up in every frame. Building it takes time
// proportional to the step's events.
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
  // of shared_requests(). `touching_shared` has in addition the atomics on shared memory.
  std::vector<int> requests, shared, touching_shared, global, exchanges;
  // Indices into Trace::events, or -1. The first index is the shared request with the most wavefronts. The
  // second is the request to global memory that wastes the most sectors. The third is the first shuffle, or
  // the first vote if there is no shuffle. Among equal requests, these are the first.
  int costliest_shared = -1, most_wasteful = -1, first_exchange = -1;

  SharedTotals shared_totals;  // the totals of `shared`
  bool shared_alike = true;    // whether all of `shared` take equal numbers of wavefronts and of lane groups
  GlobalTotals global_load, global_store;
  std::int64_t votes = 0, warp_barriers = 0, device_fences = 0, block_fences = 0;
  bool has_barrier = false;
};

}  // namespace upsweep
