// The further inputs of a run.
#pragma once
#include <cstdint>
#include <vector>

#include "catalogue/contents.hpp"
#include "catalogue/plan.hpp"

namespace upsweep {

// Returns the contents of the second input and of all further inputs of a plan. Throws RequestError if a
// given input has another size than planned.
Contents more_inputs(const Plan& plan, const Settings& s, const Inputs& given);

}  // namespace upsweep
