// One shared-memory request, ready to be drawn: its wavefronts, and what each bank and word has to do with
// them.
#pragma once
#include <array>
#include <vector>

#include "analysis/banks.hpp"
#include "analysis/recording.hpp"

namespace upsweep {

struct SharedRequest {
  int event = -1;          // index into Trace::events; -1: the step has no shared request
  int number = 0, of = 0;  // 1 based, among the step's shared requests
  BankCost cost;
  std::vector<Wavefront> waves;
  std::vector<bool> extra;              // per wavefront: beyond the first of its group of lanes (a conflict)
  std::array<int, bank_count> words{};  // per bank: most different words of one group that fall into it

  explicit operator bool() const { return event >= 0; }
};

// The requests of a block's step, as indices of Trace::events in canonical order: accesses, shuffles and
// votes. Place::request counts these.
std::vector<int> requests(const Trace& trace, int block, int step);
bool is_request(Kind k);
// Those of them that shared memory serves in wavefronts: loads and stores.
std::vector<int> shared_requests(const Trace& trace, int block, int step);

// Indices into Trace::events of what a place shows; -1 where the step has nothing of the kind. The
// chosen request alone, or else: the costliest shared request (most wavefronts), the global request that
// wastes most sectors, the first shuffle or vote; of equals the first.
int chosen_event(const Recording& recording, const Place& place);
int request_event(const Recording& recording, const Place& place);
int global_event(const Recording& recording, const Place& place);
int shuffle_event(const Recording& recording, const Place& place);

// The shared request that a place shows.
SharedRequest chosen_request(const Recording& recording, const Place& place);

}  // namespace upsweep
