// Finds the launches that may have changed a buffer of global memory by stores that are not recorded.
#pragma once
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// Returns whether the launch's kernel has a parameter for ordinary (not volatile) stores to cells of this
// kind. Blocks that are not recorded in full have no records of such stores. Returns true if the trace's text
// does not have the kernel.
bool may_store(const Trace& trace, int grid, Cells cells);

// The launches whose stores are perhaps not all recorded: launches with blocks that are not recorded in full,
// or all launches if the recorder dropped records. Such a launch may have changed a cell. So the cell's value
// is known only if a store to the cell was recorded in this launch or later.
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
