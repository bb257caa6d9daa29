// Actions of threads in words.
#pragma once
#include <string>

#include "analysis/actions.hpp"
#include "analysis/place.hpp"

namespace upsweep {

// Returns the verb and its object: "add x[8t+3] into x[8t+7]", or with "adds" for one thread. `grid` must be
// the action's grid.
std::string action_text(const Trace& trace, int grid, const StepAction& action);

// Returns the operands of an action: "x[8t+3]", "the value of lane t+1", "4 neighbouring elements of in, from
// in[4t] on".
std::string operand_text(const Trace& trace, int grid, const StepAction& action, const Expression& operand);

// Returns the sentence for a step in which no thread of a block accesses memory. It names the first other
// block that does.
std::string idle_text(const Trace& trace, int grid, const Place& place);

}  // namespace upsweep
