// The contents of a buffer of global memory after any step of a run, computed from the recorded stores.
#pragma once
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct GlobalState {
  struct Cell {
    Value value{};  // for a message, the value includes the mark
    // Whether the value is known. It is not known before the first store, except in inputs and in cells that
    // are cleared before the run. The stores of blocks that are not in focus are not recorded. So after a
    // launch with such blocks, the buffers that it may have written have few known values: the values from
    // its recorded stores and from later stores.
    bool known = false;
    // The store or the atomic that wrote the value, as 1 + the index of its event, and its lane. They are 0
    // and -1 if no recorded event wrote the value.
    std::uint32_t writer = 0;
    int lane = -1;
    bool operator==(const Cell&) const = default;
  };
  std::vector<Cell> cells;  // all cells of the buffer
};

// Returns the contents of a buffer after all blocks have ended a step. `buffer` is an index into
// Trace::buffers. Step -1 means before the run. After the last step of a run that was not stopped, outputs
// hold what the run returned, even if no store was recorded. Takes time in proportion to the recorded events.
// Throws Cancelled if the job is cancelled meanwhile.
GlobalState global_state(const Trace& trace, int buffer, int step, const Job* job = nullptr);

}  // namespace upsweep
