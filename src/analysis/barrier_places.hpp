// The places in a kernel's text at which a barrier would order two accesses of one block.
#pragma once
#include <vector>

#include "analysis/hazards.hpp"
#include "trace/kernel_text.hpp"

namespace upsweep {

// Lines after which a barrier can be inserted, in the order in which a thread passes them. If the later
// access is in the loop's next round, the lines up to the end of the round come before the lines at the
// beginning of the next round.
using BarrierPlaces = std::vector<int>;

struct BarrierGap {
  int from = 0, to = 0;  // the lines of the earlier and of the later access
  TextOrder order = TextOrder::one_round;
};

// Returns the places that all threads of the group `whom` (a block or a warp) certainly reach. Returns no
// place if the accesses and all lines between them are in a branch that only some of these threads take.
BarrierPlaces barrier_places(const KernelText& text, const BarrierGap& gap, Together whom);
// Returns the innermost branch around both accesses that only some threads of the group `whom` take, or
// KernelText::none.
int branch_to_split(const KernelText& text, const BarrierGap& gap, Together whom);
// Returns the places of `some` that are also in `others`.
BarrierPlaces common_places(const BarrierPlaces& some, const BarrierPlaces& others);
// Returns the interval from the first place to the last. Requires at least one place.
LineInterval interval_of(const KernelText& text, const BarrierPlaces& places);

}  // namespace upsweep
