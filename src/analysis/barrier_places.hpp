// The places in a kernel's text at which a barrier would order two accesses of one block.
#pragma once
#include <vector>

#include "analysis/hazards.hpp"
#include "trace/kernel_text.hpp"

namespace upsweep {

// Lines after each of which a barrier may stand, in the order in which a thread passes them: for two accesses
// in different rounds of a loop first the lines until the end of a round, then those from its beginning.
using BarrierPlaces = std::vector<int>;

struct BarrierGap {
  int from = 0, to = 0;  // the lines of the earlier and of the later access
  TextOrder order = TextOrder::one_round;
};

// Returns the places that all threads of a block, or of a warp, certainly reach together. It returns none if
// both accesses are in a branch that only some of them take, and nothing between them is outside it.
BarrierPlaces barrier_places(const KernelText& text, const BarrierGap& gap, Together whom);
// Returns the innermost branch that causes this, or none.
int branch_to_split(const KernelText& text, const BarrierGap& gap, Together whom);
// Returns the places of `some` that are also in `others`.
BarrierPlaces common_places(const BarrierPlaces& some, const BarrierPlaces& others);
// Returns the lines around all places. Requires at least one.
LineInterval interval_of(const KernelText& text, const BarrierPlaces& places);

}  // namespace upsweep
