// One shared-memory request, ready to be drawn: its wavefronts, and what each bank and word has to do with
// them.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "analysis/banks.hpp"
#include "scene/views.hpp"

namespace upsweep {

struct Request {
  int event = -1;          // index into Trace::events; -1: the step has no shared request
  int number = 0, of = 0;  // 1 based, among the step's shared requests
  BankCost cost;
  std::vector<Wavefront> waves;
  std::vector<bool> extra;              // per wavefront: beyond the first of its group of lanes (a conflict)
  std::array<int, bank_count> words{};  // per bank: most different words of one group that fall into it

  explicit operator bool() const { return event >= 0; }
};

// The requests of a block's step, as indices of Trace::events in canonical order: accesses, shuffles and
// votes. Cursor::request counts these.
std::vector<int> requests(const Trace& trace, int block, int step);
// Those of them that shared memory serves in wavefronts: loads and stores.
std::vector<int> shared_requests(const Trace& trace, int block, int step);

// Indices into Trace::events of what the cursor looks at; -1 where the step has nothing of the kind. The
// chosen request alone, or else: the costliest shared request (most wavefronts), the global request that
// wastes most sectors, the first shuffle or vote; of equals the first.
int chosen_event(const Recording& recording, const Cursor& cursor);
int request_event(const Recording& recording, const Cursor& cursor);
int global_event(const Recording& recording, const Cursor& cursor);
int shuffle_event(const Recording& recording, const Cursor& cursor);

// The shared request that the cursor looks at.
Request chosen_request(const Recording& recording, const Cursor& cursor);

// "x[8t+3]", "in[t]": the cells that an access touches, as a pattern in the thread index where they follow
// one.
std::string access_text(const Trace& trace, const Event& event);

}  // namespace upsweep
