// What the threads did in one step, as a person would group it: the same instruction, the same kind of value.
#pragma once
#include <string>
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Where a value came from: a leaf (an element, an input, a constant) or the operator on several of them.
struct Expression {
  enum class Form : std::uint8_t {
    constant,
    input,      // from global memory
    element,    // of shared memory
    operation,  // of two
    fold,       // of many elements of one kind, one after the other
    shuffle,    // another lane's value
    kept,       // what the thread computed in an earlier step
    other,
  } form = Form::constant;
  int buffer = 0;                    // input: of Trace::buffers; element: of a double buffer
  int region = 0;                    // element: of shared memory
  Cells cells = Cells::elements;     // that it was taken from
  bool earlier = false;              // element: read in an earlier step
  bool old = false;                  // element: read before the same thread overwrote it in this step
  std::vector<int> indices;          // element, input, fold: (the first) one per thread
  std::vector<int> counts, strides;  // fold: how many, and how far apart (0: not evenly)
  std::vector<int> lanes, takers;    // shuffle: whose value each lane took
  Shuffle how = Shuffle::index;
  Value value{};                     // constant: of the first thread
  std::vector<Expression> operands;  // operation: left, right; fold: the form of one of its elements, and
                                     // what they were added to where that was no constant
};

// One instruction of the step, by all threads that gave it the same form of expression.
struct Deed {
  Kind kind;  // a store or an atomic; an operation or a shuffle whose result stays in a register; a load
              // whose value this step did not use; a launch
  int line = 0;
  std::uint8_t detail = 0;        // of the event
  int buffer = 0;                 // shared: of a double buffer; global: of Trace::buffers
  int region = 0;                 // shared
  Cells cells = Cells::elements;  // that it touches
  int times = 1;  // how often each thread did it, where that is not said otherwise (a loop that waits)
  std::vector<int> threads;  // ascending by warp and lane
  std::vector<int> indices;  // elements (or places in a buffer) touched, one per thread; launches: the grids
  Expression from;           // of what was stored, given or kept
  Value value{};             // of the first thread; of an atomic what it left behind
  Value before{};            // of an atomic
};

// Returns the deeds of a step in the order in which the step issued them. Throws Cancelled soon after the job
// is cancelled; a null job is never cancelled.
std::vector<Deed> deeds(const Trace& trace, int block, int step, const Job* job = nullptr);

}  // namespace upsweep
