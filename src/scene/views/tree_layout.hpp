// Computes the places of the tree's rows and columns, and how much detail each row shows. The detail depends
// on the distance between the nodes of a row, not on n. Rows with few nodes show values, rows with many nodes
// show marks, and rows with even more nodes show bars.
#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scene/views/views.hpp"

namespace upsweep {

// When a row is stored: in an earlier step (`past`), in the cursor's step (`now`), or in a later step
// (`future`, or `next` if the row is highlighted).
enum class Tense { past, now, next, future };

// How the nodes of one row are drawn.
struct RowLook {
  float room = 0;   // the width in dp that a node may take; at most 96
  float text = 0;   // the text size of the values; 0 if no value is drawn
  float width = 0;  // the width of the widest node
  float half = 0;   // half the height of a node
  bool stagger = false;
  int every = 1;      // 1, or only every 2nd, 4th, … node shows its value, counted from the last
  bool boxed = true;  // false for loaded and stored values
};

class TreeLayout {
 public:
  static constexpr float dense = 3;  // dp; nodes closer than this are merged into bars
  // If nodes are merged, only the first node in each stretch of this many dp gets an edge and a target.
  static constexpr float bucket = 5;
  static constexpr float stagger = 5.5f;  // dp by which values are moved alternately up and down

  // Lays out the visible part of a tree between `p.top` and the lower edge of the picture. `below` dp stay
  // free below the rows. Requires a tree with at least one row.
  TreeLayout(const ViewInput& in, const Painter& p, float below = 0);

  Tense tense(int row) const;
  bool visible(int element) const {
    return element >= first_element && element < first_element + element_count;
  }
  // Returns the nodes of a row in the visible columns.
  std::span<const TreeNode> visible_nodes(const TreeRow& row) const;
  bool shown(int row) const { return row >= first_row && row < last_row; }
  float x(int element) const { return left + (static_cast<float>(element - first_element) + 0.5f) * column; }
  float y(int row) const { return first_y + pitch * (static_cast<float>(row - first_row) + 0.5f); }
  const RowLook& look(int row) const {  // the row must be shown
    return looks_[static_cast<std::size_t>(row - first_row)];
  }
  float top_of(int row) const { return y(row) - look(row).half; }  // the top of the row's nodes
  float bottom_of(int row) const { return y(row) + look(row).half; }

  // Returns whether a node gets an edge and a target. If nodes are merged into bars, only the first node in
  // each stretch gets them. `last` keeps the current stretch from one call to the next; it must be -1 before
  // the first call.
  bool stands_out(int row, const TreeNode& n, int& last) const {
    if (!visible(n.element)) return false;
    if (look(row).room >= dense) return true;
    const int here = stretch(n);
    return std::exchange(last, here) != here;
  }
  // Calls f(node, index) for every node of a row for which stands_out() is true. It skips the other nodes
  // quickly.
  template <class F>
  void for_each_standing_out(int row, F f) const {
    const TreeRow& r = tree_.rows[row];
    const std::span<const TreeNode> nodes = visible_nodes(r);
    const bool merged = look(row).room < dense;
    for (auto n = nodes.begin(); n != nodes.end();) {
      f(*n, static_cast<std::size_t>(&*n - r.nodes.data()));
      const int here = stretch(*n++);
      if (merged)
        n = std::partition_point(n, nodes.end(), [&](const TreeNode& m) { return stretch(m) == here; });
    }
  }

  // Returns whether this node shows its value. `index` is the node's index in its row.
  bool has_value(int row, std::size_t index) const {
    const RowLook& l = look(row);
    const std::size_t from_last = tree_.rows[row].nodes.size() - 1 - index;
    return l.text > 0 && from_last % static_cast<std::size_t>(l.every) == 0;
  }
  // Returns the size of the ring around a node. If the node shows no value, the ring is small, because values
  // of neighbouring nodes may be near.
  Point ring_size(int row, const TreeNode& n) const {
    const RowLook& l = look(row);
    const auto index = static_cast<std::size_t>(&n - tree_.rows[row].nodes.data());
    if (l.every > 1 && !has_value(row, index)) return {6, 6};
    return {std::max(node_width(row, n), 3.0f) + 2, std::max(2 * l.half, 3.0f) + 2};
  }
  std::string row_label(int row) const;
  std::string value_text(int row, const TreeNode& node) const;
  std::string short_text(const TreeNode& node, int room) const;
  // Returns the operator that computed a node's value.
  Operator operator_of(const TreeNode& node) const;
  float node_width(int row, const TreeNode& node) const;

  int current = 0;                           // the index of the highlighted row
  int first_row = 0, last_row = 0;           // the shown rows: [first_row, last_row)
  int first_element = 0, element_count = 0;  // the shown columns
  bool numbered = false;                     // a line with the numbers of the elements is above the rows
  float first_y = 0, left = 0;               // the top of the first row, and the left end of the first column
  float pitch = 0, column = 0;               // the distance between rows and between columns
  float label_size = 12.5f;

 private:
  int stretch(const TreeNode& n) const { return static_cast<int>(x(n.element) / bucket); }
  void choose_columns();
  void choose_rows(float top, float height);
  RowLook choose_look(int row) const;
  float widest_text(int row, float size, float room) const;

  const ViewInput& in_;
  const Tree& tree_;
  std::vector<RowLook> looks_;  // for each shown row
};

}  // namespace upsweep
