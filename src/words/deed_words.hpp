// What threads did, in words.
#pragma once
#include <string>

#include "analysis/deeds.hpp"

namespace upsweep {

// The verb and what follows it: "add x[8t+3] into x[8t+7]", for one thread "adds". `grid` is the deed's.
std::string deed_text(const Trace& trace, int grid, const Deed& deed);

// What a deed takes: "x[8t+3]", "the value of lane t+1", "4 neighbouring elements of in, from in[4t] on".
std::string operand_text(const Trace& trace, int grid, const Deed& deed, const Expression& operand);

}  // namespace upsweep
