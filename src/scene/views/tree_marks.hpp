// Draws hazards in the tree: a mark at the cell of each finding, and a row with the expected values of a
// wrong result. This row is below the other rows.
#pragma once
#include <vector>

#include "scene/views/tree_layout.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// The row with the expected values of the wrong elements. Correct elements have no value in this row.
class ExpectedRow {
 public:
  ExpectedRow(const ViewInput& in, const Tree& tree);

  // Returns the height of the row in a picture of this height. Returns 0 if the row is not drawn.
  float height(float picture) const;
  // Draws the row below the other rows, and rings around the wrong values. The expected values are visible
  // only in the step that stores the output and in later steps.
  void draw(Painter& p, const TreeLayout& at) const;

 private:
  // A wrong element: the column in the tree, and the index in WrongResult::elements.
  struct Wrong {
    int column;
    std::size_t element;
  };
  void draw_values(Painter& p, const TreeLayout& at, float y) const;

  const ViewInput& in_;
  const Tree& tree_;
  int output_row_ = -1;  // an index into Tree::rows; -1 if this block stored no output
  std::vector<Wrong> wrong_;
};

void draw_tree_marks(Painter& p, const ViewInput& in, const Tree& tree, const TreeLayout& at);

}  // namespace upsweep
