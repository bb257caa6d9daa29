// Describes the actions of threads in words.
#pragma once
#include <string>
#include <vector>

#include "analysis/actions.hpp"
#include "analysis/place.hpp"

namespace upsweep {

// Returns the action's verb and object, such as "add x[8t+3] into x[8t+7]"; "adds" for one thread. `grid`
// must be the grid of the action.
std::string action_text(const Trace& trace, int grid, const StepAction& action);

// Returns the sentence that says which cells some actions of the same threads fill, such as "Together they
// fill out[0–26].", if they carry out a permutation: each thread stores into another cell, and the cells
// follow no pattern of the threads. Leaves out other actions, and returns an empty text if there are no such
// actions.
std::string filled_text(const Trace& trace, int grid, const std::vector<const StepAction*>& actions);

// Returns an operand of an action: "x[8t+3]", "the value of lane t+1", "4 neighbouring elements of in, from
// in[4t] on".
std::string operand_text(const Trace& trace, int grid, const StepAction& action, const Expression& operand);

// Returns the sentence for a step in which no thread of this block accesses memory. The sentence names the
// first other block whose threads access memory, if there is one.
std::string idle_text(const Trace& trace, int grid, const Place& place);

}  // namespace upsweep
