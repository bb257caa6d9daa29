// Describes the actions of threads in words.
#pragma once
#include <string>
#include <vector>

#include "analysis/actions.hpp"
#include "analysis/place.hpp"

namespace upsweep {

// Returns the action's verb and object, such as "add x[8t+3] into x[8t+7]". For one thread, the verb is in
// the singular: "adds". `grid` must be the grid of the action.
std::string action_text(const Trace& trace, int grid, const StepAction& action);

// Returns a sentence about the cells that permutations fill: "Together, the threads fill out[0–26]." An
// action is a permutation if each thread stores into a different cell, and no formula of the thread index
// describes the cells. Returns an empty text if no action is a permutation. All actions must have the same
// threads.
std::string filled_text(const Trace& trace, int grid, const std::vector<const StepAction*>& actions);

// Returns an operand of an action in words: "x[8t+3]", "the value of lane t+1" or "4 neighbouring elements of
// in, from in[4t] on".
std::string operand_text(const Trace& trace, int grid, const StepAction& action, const Expression& operand);

}  // namespace upsweep
