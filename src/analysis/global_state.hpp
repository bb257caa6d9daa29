// Computes the contents of a buffer of global memory after any step of a run, from the recorded stores.
#pragma once
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct GlobalState {
  struct Cell {
    Value value{};  // for a message (see Cells): the element and the word
    // True if the value is known. Before the first store, the value is known only in inputs and in cells that
    // are cleared before the run.
    //
    // For blocks out of focus, only volatile stores and atomics are recorded. If unrecorded stores of a
    // launch may have changed the buffer, all values from earlier launches become unknown. Values from
    // recorded stores of this launch or of later launches are known.
    bool known = false;
    // `writer` is 1 + the index of the event that wrote the value, a store or an atomic. `lane` is the lane
    // that wrote the value. If no recorded event wrote the value, `writer` is 0 and `lane` is -1.
    std::uint32_t writer = 0;
    int lane = -1;
    bool operator==(const Cell&) const = default;
  };
  std::vector<Cell> cells;  // all cells of the buffer
};

// Returns the contents of a buffer after all blocks have ended a step. `buffer` is an index into
// Trace::buffers. If `step` is -1, returns the contents before the run.
//
// After the last step of a run that was not stopped, an output has the contents that the run returned, even
// if some of its stores were not recorded.
//
// Takes time in proportion to the recorded events. Throws Cancelled if the job is cancelled meanwhile.
GlobalState global_state(const Trace& trace, int buffer, int step, const Job* job = nullptr);

}  // namespace upsweep
