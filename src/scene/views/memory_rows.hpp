// Divides a block's shared memory into rows with one word for each bank, and finds the accesses of one step
// to each cell.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// The accesses of the step to one cell of shared memory.
struct Touch {
  bool read = false, written = false;
  bool requested = false;   // the chosen request accesses the cell
  bool conflict = false;    // the chosen request accesses several words of the cell's bank
  std::uint32_t lanes = 0;  // a mask of the lanes of the chosen request that access the cell
  // True if the mouse is over the lane, the line or the request of an access to the cell.
  bool lit = false;
  int event = -1, lane = -1;  // the last access to the cell in the step
};

// Returns, for each row, the index of the first cell that begins in this row or in a later row. The last
// element of the result is the number of cells.
//
// A row contains one word for each bank. Requires that `cells` are sorted by `byte`, and that no cell is
// outside of the rows.
std::vector<int> first_cells(std::span<const Cell> cells, int rows, int banks = bank_count);

class MemoryRows {
 public:
  // Reads the cells of the cursor's block, with the contents that the cells have after the cursor's step.
  // `grid` is the index of the launch that contains the block.
  MemoryRows(const ViewInput& in, int grid, const SharedRequest& request);

  const std::vector<Cell>& cells() const { return cells_; }
  const Cell& at(int cell) const { return cells_[static_cast<std::size_t>(cell)]; }
  // Returns the cell with its contents before the cursor's step.
  Cell before(int cell) const;
  const Touch& touch(int cell) const { return touches_[static_cast<std::size_t>(cell)]; }
  std::uint32_t first_word(int cell) const { return at(cell).byte / 4; }
  // Returns the number of words in the cell. Returns 1 if the cell is smaller than a word.
  int words_of(int cell) const;
  // Returns the bank of the cell's first word.
  int bank_of_cell(int cell) const;
  int row_of(int cell) const;

  int rows() const { return rows_; }
  // Returns the index of the first cell that begins in this row or in a later row. Returns the number of
  // cells if no such cell exists. `row` may be rows().
  int first_cell(int row) const { return first_in_row_[static_cast<std::size_t>(row)]; }
  // Returns the `most` most important rows in ascending order. The rows of the chosen request are the most
  // important rows. Then follow the other rows that the step accessed, the rows next to all these rows, and
  // all other rows from top to bottom. Requires 1 <= most <= rows().
  std::vector<int> rows_that_matter(int most) const;

 private:
  void find_touches(const ViewInput& in, int grid, const SharedRequest& request);

  const Recording& recording_;
  const int grid_, block_;
  std::size_t first_event_ = 0;  // the step's first event
  std::uint32_t banks_;
  std::vector<Cell> cells_;
  std::vector<Touch> touches_;  // the accesses to each cell
  int rows_ = 0;
  std::vector<int> first_in_row_;  // see first_cell()
};

// Returns true if at least one launch of the run has shared memory.
bool has_shared_memory(const Recording& recording);
// Returns a sentence that says why the step's launch has no shared memory. Returns an empty text if the
// launch has shared memory. If kernels launch kernels, examines all launches of the run instead.
std::string why_no_shared_memory(const Recording& recording, int step);

// Returns a text about a cell, such as "word 3 · bank 3 · temp[3] = 7 · written by thread 3 in load".
std::string cell_readout(const Trace& trace, const SharedShape& shape, const MemoryRows& memory, int cell);
// Returns true if this cell contains the value of `node`. `cursor` chooses the tree that contains the node.
bool is_stored_in(const Recording& recording, const Cursor& cursor, const NodeId& node, const Cell& cell);

}  // namespace upsweep
