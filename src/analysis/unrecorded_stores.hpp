// Finds the launches that may have changed a buffer of global memory by stores that are not recorded.
#pragma once
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// Returns whether a launch may store to cells of this kind by accesses that are recorded only for blocks in
// focus. The function looks at the parameters of the launch's kernel. Returns true if the trace's text does
// not have the kernel.
bool may_store(const Trace& trace, int grid, Cells cells);

// The launches of a trace that have blocks out of focus, or all launches if the recorder had no room for some
// records. After such a launch, the value of a cell that it may have written is known only if this launch, or
// a later one, recorded a store to the cell.
class UnrecordedStores {
 public:
  // Takes time in proportion to the recorded events.
  explicit UnrecordedStores(const Trace& trace);

  // Returns the last such launch before launch `grid` that may have written the buffer, or -1. When `grid`
  // begins, the recorded stores before that launch no longer show what the buffer holds.
  int last_before(int buffer, int grid) const;

 private:
  std::vector<std::vector<int>> grids_;  // by buffer, ascending
};

}  // namespace upsweep
