// Deeds of threads in words.
#pragma once
#include <string>

#include "analysis/deeds.hpp"

namespace upsweep {

// Returns the verb and its object: "add x[8t+3] into x[8t+7]", for one thread "adds". `grid` must be the
// deed's grid.
std::string deed_text(const Trace& trace, int grid, const Deed& deed);

// Returns the values that a deed takes: "x[8t+3]", "the value of lane t+1", "4 neighbouring elements of in,
// from in[4t] on".
std::string operand_text(const Trace& trace, int grid, const Deed& deed, const Expression& operand);

}  // namespace upsweep
