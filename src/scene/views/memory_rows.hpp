// The cells of a block's shared memory in rows of one word per bank, and the accesses of one step to each of
// these cells.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// The accesses of the step to one cell.
struct Touch {
  bool read = false, written = false;
  bool requested = false;     // the chosen request accesses the cell
  bool conflict = false;      // the request accesses several words of the bank
  std::uint32_t lanes = 0;    // a mask of the chosen request's lanes that access the cell
  bool lit = false;           // the mouse is over the lane, line or request of an access
  int event = -1, lane = -1;  // the last access to the cell in the step
};

// Returns for each row the index of the first cell that begins in this row or later, and at the end the
// number of cells. A row has one word for each bank. Requires that `cells` are sorted by `byte` and lie in
// these rows.
std::vector<int> first_cells(std::span<const Cell> cells, int rows, int banks = bank_count);

class MemoryRows {
 public:
  // Reads the cells of the cursor's block after the cursor's step. `grid` is the block's grid.
  MemoryRows(const ViewInput& in, int grid, const SharedRequest& request);

  const std::vector<Cell>& cells() const { return cells_; }
  const Cell& at(int cell) const { return cells_[static_cast<std::size_t>(cell)]; }
  // Returns the cell as it was before the cursor's step.
  Cell before(int cell) const;
  const Touch& touch(int cell) const { return touches_[static_cast<std::size_t>(cell)]; }
  std::uint32_t first_word(int cell) const { return at(cell).byte / 4; }
  // Returns how many words the cell has; 1 if it is smaller than a word.
  int words_of(int cell) const;
  // Returns the bank of the cell's first word.
  int bank_of_cell(int cell) const;
  int row_of(int cell) const;

  int rows() const { return rows_; }
  // Returns the first cell that begins in this row or later. Returns the number of cells if no cell does, or
  // if `row` is rows().
  int first_cell(int row) const { return first_in_row_[static_cast<std::size_t>(row)]; }
  // Chooses `most` rows and returns them in ascending order: first the rows of the chosen request, then rows
  // that the step accessed, then rows beside these, then other rows from the top. Requires 1 <= most <=
  // rows().
  std::vector<int> rows_that_matter(int most) const;

 private:
  void find_touches(const ViewInput& in, int grid, const SharedRequest& request);

  const Recording& recording_;
  const int grid_, block_;
  std::size_t first_event_ = 0;  // the step's first event
  std::uint32_t banks_;
  std::vector<Cell> cells_;
  std::vector<Touch> touches_;  // one for each cell
  int rows_ = 0;
  std::vector<int> first_in_row_;  // see first_cell()
};

// Returns whether a launch of the run has shared memory.
bool has_shared_memory(const Recording& recording);
// Returns why the step's launch has no shared memory, as a sentence, or an empty text if it has some.
std::string why_no_shared_memory(const Recording& recording, int step);

// Returns the text about a cell: "word 3 · bank 3 · temp[3] = 7 · written by thread 3 in load".
std::string cell_readout(const Trace& trace, const SharedShape& shape, const MemoryRows& memory, int cell);
// Returns whether a node of the tree at the cursor is stored in this cell.
bool is_stored_in(const Recording& recording, const Cursor& cursor, const NodeId& node, const Cell& cell);

}  // namespace upsweep
