// Checks the inputs of a run, and completes missing inputs.
#pragma once
#include <cstdint>
#include <vector>

#include "catalogue/contents.hpp"
#include "catalogue/plan.hpp"

namespace upsweep {

// Throws RequestError if an algorithm cannot accept this input, for one of three reasons:
// - The user's own operator breaks a law for these numbers (see expect_lawful()).
// - A pixel does not fit into a byte (see pixels_are_bytes()).
// - The numbers make no sense for the result (see Result::expect).
void expect_input(const Algorithm& a, const Settings& s, const std::vector<Value>& input);

// Returns the contents of all inputs of a plan after the first input. Throws RequestError if an input in
// `given` has another size than in the plan.
Contents more_inputs(const Plan& plan, const Settings& s, const Inputs& given);

}  // namespace upsweep
