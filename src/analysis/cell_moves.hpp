// The values that a step of a block moves from cell to cell of its shared memory.
#pragma once
#include <cstddef>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// A value that a lane read from one cell and used to compute the value of another cell. Cells are indices
// into cell_places().
struct CellMove {
  int from = -1, to = -1;
  Value value{};  // as it was read
  bool operator==(const CellMove&) const = default;
};

// Returns the moves into each cell's last store of the step, in the order of these stores. A move needs a
// recorded path of origins from the read to the store within the step, through operations and shuffles
// (not through a shuffle that adds up lanes). Reads of the same cell that is stored are left out. Returns
// nothing if there are more than `most` moves, or if more than 64 * `most` values would have to be examined.
std::vector<CellMove> cell_moves(const Trace& trace, int block, int step, std::size_t most);

}  // namespace upsweep
