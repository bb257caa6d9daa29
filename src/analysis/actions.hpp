// The actions of one block in one step. One action stands for all threads that execute the same
// instruction on the same memory, with values of the same form (see Expression::Form). Each iteration of a
// loop has separate actions, except in a loop that waits for another block.
#pragma once
#include <string>
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The expression by which a value was computed. Only an operation and a fold have operands.
struct Expression {
  enum class Form : std::uint8_t {
    constant,
    input,      // a value from global memory
    element,    // an element of shared memory
    operation,  // the operator, applied to two values
    fold,       // the operator, applied to many elements of one memory, one after the other
    shuffle,    // another lane's value
    kept,       // a value that the thread computed in an earlier step
    other,
  } form = Form::constant;
  // For an input, the index into Trace::buffers. For an element, the index of the buffer in a double buffer.
  int buffer = 0;
  int region = 0;  // for an element: the region of shared memory
  int parts = 1;   // for an element or input: the number of adjacent cells that each thread read at once
  Cells cells = Cells::elements;  // the kind of the cells that were read or combined
  bool earlier = false;           // whether the element was read in an earlier step
  bool old = false;          // whether the element was read before the same thread overwrote it in this step
  std::vector<int> indices;  // per thread: the index of the element or input; for a fold, its first index
  // For a fold, one entry per thread: the number of elements, and the distance between the indices of
  // neighbouring elements (0 if the distances differ).
  std::vector<int> counts, strides;
  // For a shuffle: the lanes that gave values, and the lanes that took these values.
  std::vector<int> lanes, takers;
  Shuffle how = Shuffle::index;
  Value value{};                   // of a constant: the first thread's value
  std::vector<Value> more_values;  // of a constant: up to three other values, from other threads
  // An operation has two operands: the left and the right operand. A fold also has two operands: one of its
  // elements, as an example, and the value to which the elements were added. If this value is a constant, the
  // fold has only the first operand.
  std::vector<Expression> operands;
};

// One execution of an instruction by all threads whose expressions have the same form.
struct StepAction {
  // Stores, atomics, launches and fences always become actions. Operations, shuffles and loads become actions
  // only if the step does not use their results.
  Kind kind;
  int line = 0;
  std::uint8_t detail = 0;  // see Event::detail
  // In shared memory, the index of the buffer in a double buffer. In global memory, an index into
  // Trace::buffers.
  int buffer = 0;
  int region = 0;                 // in shared memory: the region
  Cells cells = Cells::elements;  // the kind of cells that the instruction accesses or combines
  int parts = 1;                  // the number of adjacent cells that each thread accesses at once
  int times = 1;             // in a loop that waits: the largest number of iterations of any warp; else 1
  std::vector<int> threads;  // ascending by warp and lane
  // For each thread: the index of the element or cell that the thread accesses. For a launch, the index of
  // the child grid. For all other actions without memory, -1.
  std::vector<int> indices;
  Expression from;  // the value that was stored, given to an atomic, or kept in a register
  Value value{};    // the first thread's value; for an atomic, the memory's value after the atomic
  Value before{};   // for an atomic, the memory's value before the atomic
};

// The largest number of actions that actions() returns. actions() leaves out all further actions.
inline constexpr std::size_t most_actions = 4096;

// Returns the actions of a step. Sorts all actions by their first events in Trace::events if the step has a
// fence, a wait for another block, a stored constant, or an atomic with a constant. Otherwise, the loads
// whose values the step does not use come after all other actions.
//
// Throws Cancelled soon after the job is cancelled; a null job is never cancelled.
std::vector<StepAction> actions(const Trace& trace, int block, int step, const Job* job = nullptr);

}  // namespace upsweep
