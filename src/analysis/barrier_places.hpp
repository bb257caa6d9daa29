// Finds the places in a kernel's text at which a barrier would order two accesses of one block.
#pragma once
#include <vector>

#include "analysis/hazards.hpp"
#include "trace/kernel_text.hpp"

namespace upsweep {

// Lines after which a barrier can be inserted, in the order in which a thread executes these lines. If the
// later access is in the next iteration of a loop, the list begins with the lines from the earlier access to
// the loop's end. The list ends with the lines from the loop's beginning to the later access.
using BarrierPlaces = std::vector<int>;

struct BarrierGap {
  int from = 0, to = 0;  // the lines of the earlier and of the later access
  TextOrder order = TextOrder::one_round;
};

// Returns places between the two accesses. All threads of the group `whom` (a block or a warp) certainly
// reach these places. Returns no places if all lines between the accesses are in a branch that only some of
// these threads take.
BarrierPlaces barrier_places(const KernelText& text, const BarrierGap& gap, Together whom);
// Finds the innermost branch or loop that contains both accesses, and that some threads of the group `whom`
// may skip. Returns the index of this branch or loop in KernelText::statements(), or KernelText::none. An
// `if` and its `else` count as one branch.
int branch_to_split(const KernelText& text, const BarrierGap& gap, Together whom);
// Returns the places of `some` that are also in `others`, in the order of `some`.
BarrierPlaces common_places(const BarrierPlaces& some, const BarrierPlaces& others);
// Returns the range of lines from the first place to the last place. Requires at least one place.
LineInterval interval_of(const KernelText& text, const BarrierPlaces& places);

}  // namespace upsweep
