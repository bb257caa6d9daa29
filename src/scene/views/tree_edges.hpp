// Draws the edges of the tree from operands to results.
#pragma once
#include "scene/views/tree_layout.hpp"

namespace upsweep {

class TreeEdges {
 public:
  // Draws with `p`. Requires that `p`, `tree` and `at` exist longer than this object.
  TreeEdges(Painter& p, const Tree& tree, const TreeLayout& at) : p_(p), tree_(tree), at_(at) {}

  // Draws the edges to the nodes of a row. If `behind` is true, draws fainter lines, because a highlight is
  // drawn over the edges. Leaves out edges that would touch neighbouring edges.
  void draw(int row, bool behind);
  // Draws all edges to one node in the colour of the highlight.
  void draw_all(int row, const TreeNode& node, Colour colour);
  // Returns true if draw() has left out an edge.
  bool some_left_out() const { return some_left_out_; }

 private:
  struct Style {
    Colour colour;
    Colour waiting;  // the colour of the vertical part of an edge
    float width;
  };
  // The x of the upper end (`a`) and of the lower end (`b`) of the row's last drawn edge, for each direction:
  // of[0] to the left, of[1] straight down, of[2] to the right.
  struct Last {
    struct Ends {
      float a = -1e9f, b = -1e9f;
    } of[3];
  };

  const TreeNode& node(TreeNode::Source s) const { return tree_.rows[s.row].nodes[s.node]; }
  Style style_of(int row, bool behind) const;
  float coarseness(int row) const;
  void edges(int row, const TreeNode& n, const Style& style, float coarse, Last* last);
  void edge(TreeNode::Source from, int row, const TreeNode& to, const Style& style, Last* last);

  Painter& p_;
  const Tree& tree_;
  const TreeLayout& at_;
  bool some_left_out_ = false;
};

}  // namespace upsweep
