// Draws the hazards in the tree: a mark at the cell of each finding, and the expected values of a wrong
// result in a row below the others.
#pragma once
#include <vector>

#include "scene/views/tree_layout.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// The row of the expected values. Only wrong elements have one.
class ExpectedRow {
 public:
  ExpectedRow(const ViewInput& in, const Tree& tree);

  // Returns the height of the row in a picture of this height; 0 if it is not drawn.
  float height(float picture) const;
  // Draws the row below the others, and rings around the wrong values. The values appear together with the
  // output, at the step that stores it.
  void draw(Painter& p, const TreeLayout& at) const;

 private:
  // A wrong element in the tree's columns: its index in WrongResult::elements.
  struct Wrong {
    int column;
    std::size_t element;
  };
  void draw_values(Painter& p, const TreeLayout& at, float y) const;

  const ViewInput& in_;
  const Tree& tree_;
  int output_row_ = -1;  // index into Tree::rows; -1 if this block stored no output
  std::vector<Wrong> wrong_;
};

void draw_tree_marks(Painter& p, const ViewInput& in, const Tree& tree, const TreeLayout& at);

}  // namespace upsweep
