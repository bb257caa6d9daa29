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

// The request that the cursor looks at.
Request chosen_request(const Recording& recording, const Cursor& cursor);

// Indices of a step's shared requests in Trace::events, in canonical order.
std::vector<int> shared_requests(const Trace& trace, int block, int step);

// What lies in a cell of shared memory.
struct Place {
  int element = -1, buffer = 0;  // element -1: padding
};
// All places of a block's shared memory, by cell.
std::vector<Place> places(const Trace& trace);

// "x[8t+3]": the elements that an access touches, as a pattern in the thread index where they follow one.
std::string access_text(const Trace& trace, const Event& event);

}  // namespace upsweep
