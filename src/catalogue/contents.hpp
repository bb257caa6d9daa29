// Defines types for the contents of a run's inputs and outputs.
#pragma once
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// The contents of one list of buffers, such as a run's outputs.
using Contents = std::vector<std::vector<Value>>;

// The inputs that a caller gives to a run. An object refers to the caller's data, so use this class only for
// parameters.
struct Inputs {
  Inputs(const std::vector<Value>& first) : first(first) {}  // NOLINT: most algorithms have one input
  Inputs(const std::vector<Value>& first, const Contents& more) : first(first), more(&more) {}
  const std::vector<Value>& first;
  // The contents of all inputs after the first input. If this list is null or too short, the missing inputs
  // hold the numbers 0, 1, 2, ...
  const Contents* more = nullptr;
};

// The outputs of a run. If `more` is null, only the first output is known.
struct Outputs {
  Outputs(const std::vector<Value>& first) : first(first) {}  // NOLINT: most algorithms have one output
  Outputs(const std::vector<Value>& first, const Contents& more) : first(first), more(&more) {}
  const std::vector<Value>& first;
  const Contents* more = nullptr;
};

}  // namespace upsweep
