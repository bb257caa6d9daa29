// The data that a run gets.
#pragma once
#include <cstdint>
#include <vector>

#include "catalogue/plan.hpp"

namespace upsweep {

// The contents of one list of buffers, such as a run's outputs.
using Contents = std::vector<std::vector<Value>>;

// The inputs that a caller gives to a run. It refers to the caller's data, so use it only as a parameter.
struct Inputs {
  Inputs(const std::vector<Value>& first) : first(first) {}  // NOLINT: most algorithms have one input
  Inputs(const std::vector<Value>& first, const Contents& more) : first(first), more(&more) {}
  const std::vector<Value>& first;
  // The second input and further ones. If it is null or has fewer inputs than the plan, the missing inputs
  // hold the numbers 0, 1, 2, ...
  const Contents* more = nullptr;
};

// Returns the contents of the second input and of all further inputs of a plan. Throws RequestError if a
// given input has another size than planned.
Contents more_inputs(const Plan& plan, const Settings& s, const Inputs& given);

}  // namespace upsweep
