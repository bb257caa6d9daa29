// What the threads did in one step, as a person would group it: the same instruction, the same kind of value.
#pragma once
#include <string>
#include <vector>

#include "scene/views.hpp"

namespace upsweep {

// Where a stored value came from: a leaf (an element, an input, a constant) or the operator on two of them.
struct Expression {
  enum class Form : std::uint8_t { constant, input, element, operation, other } form = Form::constant;
  int buffer = 0;                    // element: of a double buffer
  bool earlier = false;              // element: read in an earlier step
  bool old = false;                  // element: read before the same thread overwrote it in this step
  std::vector<int> indices;          // element and input: one per thread
  Value value{};                     // constant: of the first thread
  std::vector<Expression> operands;  // operation: left, right
};

// One instruction of the step, by all threads that gave it the same form of expression.
struct Deed {
  Kind kind;  // shared_store, global_store; or a load whose value this step did not use
  int line = 0;
  int buffer = 0;            // shared: of a double buffer
  std::vector<int> threads;  // ascending by warp and lane
  std::vector<int> indices;  // elements (or places in the input or output) touched, one per thread
  Expression from;           // stores
  Value value{};             // of the first thread
};

// In the order in which the step issued them.
std::vector<Deed> deeds(const Trace& trace, int block, int step);

}  // namespace upsweep
