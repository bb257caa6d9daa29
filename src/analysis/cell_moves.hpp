// Finds the values that a step of a block moves from cell to cell of the block's shared memory.
#pragma once
#include <cstddef>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// A lane read the value of the cell `from`, and used this value to compute the new value of the cell `to`.
// `from` and `to` are indices into cell_places().
struct CellMove {
  int from = -1, to = -1;
  Value value{};  // the value that the lane read
  bool operator==(const CellMove&) const = default;
};

// Returns the moves to each cell that the step stores. If the step stores to a cell several times, only the
// last store counts. The moves are in the order of the stores.
//
// A move is found only if the recorded origins lead from the store back to the read, within the step. The
// origins may lead through operations and shuffles, but not through a shuffle that adds up the values of
// lanes. Moves from a cell to the same cell are left out.
//
// Returns an empty list if there are more than `most` moves, or if the search would examine more values than
// 64 times `most`.
std::vector<CellMove> cell_moves(const Trace& trace, int block, int step, std::size_t most);

}  // namespace upsweep
