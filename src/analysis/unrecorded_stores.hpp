// Finds the launches that may have changed a buffer of global memory by stores that are not recorded.
#pragma once
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// Returns whether a launch may store to cells of this kind by accesses that are not recorded for blocks out
// of focus. The parameters of the launch's kernel decide the result. Returns true if the trace's text does
// not have the kernel.
bool may_store(const Trace& trace, int grid, Cells cells);

// The launches with stores that may not be recorded: launches with blocks out of focus, or all launches if
// the recorder dropped records. If one of these launches may have written a cell, the cell's value is known
// only if this launch or a later launch recorded a store to the cell.
class UnrecordedStores {
 public:
  // Takes time in proportion to the recorded events.
  explicit UnrecordedStores(const Trace& trace);

  // Returns the last launch before launch `grid` that may have written the buffer by unrecorded stores.
  // Returns -1 if there is no such launch. Recorded stores before the returned launch may have been
  // overwritten.
  int last_before(int buffer, int grid) const;

 private:
  std::vector<std::vector<int>> grids_;  // for each buffer: the launches with such stores to it, ascending
};

}  // namespace upsweep
