// The actions of one block in one step. An action joins all threads that execute an instruction on the same
// memory with values of the same form. Each round of a loop has its own actions.
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
  int buffer = 0;  // of an input: index into Trace::buffers; of an element: which buffer of a double buffer
  int region = 0;  // of an element: the region of shared memory
  int parts = 1;   // of an element or input: how many adjacent cells each thread read in one access
  Cells cells = Cells::elements;  // the kind of cells from which the value was taken, or that were combined
  bool earlier = false;           // the element was read in an earlier step
  bool old = false;               // the element was read before the same thread overwrote it in this step
  std::vector<int> indices;       // per thread: the index of the element or input; the first index of a fold
  std::vector<int> counts, strides;  // of a fold: the number of elements, and their distance (0 if it varies)
  std::vector<int> lanes, takers;    // of a shuffle: the lanes that gave a value, and the lanes that took it
  Shuffle how = Shuffle::index;
  Value value{};                   // of a constant: the first thread's value
  std::vector<Value> more_values;  // of a constant: up to three different values of other threads
  // An operation has its left and its right operand. A fold has one element as an example, and the value to
  // which the elements were added, unless this value is a constant.
  std::vector<Expression> operands;
};

// One execution of an instruction by all threads whose expressions have the same form.
struct StepAction {
  Kind kind;  // a store or an atomic; an operation or a shuffle whose result stays in a register; a load
              // whose value this step did not use; a launch; a fence
  int line = 0;
  std::uint8_t detail = 0;  // Event::detail
  int buffer = 0;           // shared: which buffer of a double buffer; global: index into Trace::buffers
  int region = 0;           // in shared memory: the region
  Cells cells = Cells::elements;  // the kind of cells that the instruction accesses or combines
  int parts = 1;                  // how many adjacent cells each thread accesses at once
  int times = 1;                  // in a loop that waits: the largest number of rounds of one warp; else 1
  std::vector<int> threads;       // ascending by warp and lane
  // For each thread, the index of the element or cell that it accesses. For a launch, the index of the child
  // grid. -1 if the action accesses no memory.
  std::vector<int> indices;
  Expression from;  // the value that was stored, given to an atomic, or kept in a register
  Value value{};    // the first thread's value; for an atomic, the memory's value after it
  Value before{};   // for an atomic, the memory's value before it
};

// actions() returns at most this many actions, and leaves out the rest.
inline constexpr std::size_t most_actions = 4096;

// Returns the actions of a step, sorted by their first events in Trace::events. If the step has no fence and
// does not wait for another block, loads whose values the step does not use come last. Throws Cancelled soon
// after the job is cancelled; a null job is never cancelled.
std::vector<StepAction> actions(const Trace& trace, int block, int step, const Job* job = nullptr);

}  // namespace upsweep
