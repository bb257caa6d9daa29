// Prepares one shared-memory request for drawing: finds its wavefronts, and its accesses to each bank and
// word.
#pragma once
#include <array>
#include <vector>

#include "analysis/banks.hpp"
#include "analysis/recording.hpp"

namespace upsweep {

struct SharedRequest {
  int event = -1;          // index into Trace::events, or -1 if the step has no shared request
  int number = 0, of = 0;  // the request's number, from 1, and the number of all shared requests of the step
  BankModel banks;
  BankCost cost;
  std::vector<Wavefront> waves;
  // For each wavefront: true if a conflict caused the wavefront. Each group of lanes needs one wavefront even
  // without a conflict. Conflicts cause all further wavefronts of the group.
  std::vector<bool> extra;
  // For each bank: the largest number of different words that one group of lanes uses in this bank.
  std::array<int, bank_count> words{};

  explicit operator bool() const { return event >= 0; }
};

// Returns the accesses, shuffles and votes of a block's step, as indices into Trace::events, ascending.
// Place::request is an index into this list.
std::vector<int> requests(const Trace& trace, int block, int step);
bool is_request(Kind k);
// Returns only the requests that shared memory serves in wavefronts: loads and stores.
std::vector<int> shared_requests(const Trace& trace, int block, int step);

// These functions return an index into Trace::events, or -1 if there is no such request. chosen_event()
// returns the request that the user chose. Each other function returns the chosen request if the chosen
// request has the function's kind (shared, global, or shuffle and vote). Otherwise:
// - request_event() returns the shared request with the most wavefronts.
// - global_event() returns the global request that wastes the most sectors.
// - shuffle_event() returns the first shuffle, or the first vote if there is no shuffle.
// If several requests meet such a condition, the function returns the first of these requests.
int chosen_event(const Recording& recording, const Place& place);
int request_event(const Recording& recording, const Place& place);
int global_event(const Recording& recording, const Place& place);
int shuffle_event(const Recording& recording, const Place& place);

// Returns the model of the banks that views of a place show, see Place::half_warps.
BankModel banks_of(const Place& place);
// Returns the shared request that views of a place show, see request_event().
SharedRequest chosen_request(const Recording& recording, const Place& place);

}  // namespace upsweep
