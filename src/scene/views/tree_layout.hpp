// Computes the places of the tree's rows and columns, and the amount of detail in each row. The detail
// depends on the distance between the nodes of a row. A row with few nodes shows values, a row with many
// nodes shows marks, and a row with even more nodes shows bars.
#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scene/views/views.hpp"

namespace upsweep {

// The time at which a row is stored: in an earlier step (`past`), in the cursor's step (`now`), or in a later
// step (`future`). If the cursor's step stores no row, the first row of the later steps is highlighted
// (`next`).
enum class Tense { past, now, next, future };

// The look of the nodes in one row.
struct RowLook {
  float room = 0;   // the width in dp that a node may use; at most 96
  float text = 0;   // the text size of the values; 0 if the row shows no values
  float width = 0;  // the width of the widest node
  float half = 0;   // half of the height of a node
  bool stagger = false;
  // At 1, every node shows its value. Otherwise, only every 2nd, 4th, … node shows its value, counted from
  // the last node.
  int every = 1;
  bool boxed = true;  // true if the nodes have boxes; loaded values and the run's output have no boxes
};

class TreeLayout {
 public:
  static constexpr float dense = 3;  // dp; nodes with a smaller distance are merged into bars
  // If nodes are merged, a row is divided into stretches of this length in dp. Only the first node of each
  // stretch has an edge and reacts to the mouse.
  static constexpr float bucket = 5;
  // The distance in dp by which values are moved up and down alternately.
  static constexpr float stagger = 5.5f;

  // Lays out the visible part of a tree, from `p.top` to the lower edge of the picture. Leaves `below` dp
  // free below the rows. Requires that the tree has at least one row.
  TreeLayout(const ViewInput& in, const Painter& p, float below = 0);

  Tense tense(int row) const;
  bool visible(int element) const {
    return element >= first_element && element < first_element + element_count;
  }
  // Returns the nodes of a row that are in visible columns.
  std::span<const TreeNode> visible_nodes(const TreeRow& row) const;
  bool shown(int row) const { return row >= first_row && row < last_row; }
  float x(int element) const { return left + (static_cast<float>(element - first_element) + 0.5f) * column; }
  float y(int row) const { return first_y + pitch * (static_cast<float>(row - first_row) + 0.5f); }
  const RowLook& look(int row) const {  // requires that the row is visible
    return looks_[static_cast<std::size_t>(row - first_row)];
  }
  float top_of(int row) const { return y(row) - look(row).half; }
  float bottom_of(int row) const { return y(row) + look(row).half; }

  // Returns true if this node has an edge and reacts to the mouse. If nodes are merged into bars, returns
  // true only for the first node of each stretch (see `bucket`).
  //
  // `last` must be -1 before the first call for a row. stands_out() stores the current stretch in `last`.
  bool stands_out(int row, const TreeNode& n, int& last) const {
    if (!visible(n.element)) return false;
    if (look(row).room >= dense) return true;
    const int here = stretch(n);
    return std::exchange(last, here) != here;
  }
  // Calls f(node, index) for every node of a row for which stands_out() would return true. The search is
  // faster than calling stands_out() for each node.
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

  // Returns true if this node shows its value. `index` is the node's index in its row.
  bool has_value(int row, std::size_t index) const {
    const RowLook& l = look(row);
    const std::size_t from_last = tree_.rows[row].nodes.size() - 1 - index;
    return l.text > 0 && from_last % static_cast<std::size_t>(l.every) == 0;
  }
  // Returns the size of the ring around a node. The ring is small if the node shows no value, because values
  // of neighbouring nodes may be near.
  Point ring_size(int row, const TreeNode& n) const {
    const RowLook& l = look(row);
    const auto index = static_cast<std::size_t>(&n - tree_.rows[row].nodes.data());
    if (l.every > 1 && !has_value(row, index)) return {6, 6};
    return {std::max(node_width(row, n), 3.0f) + 2, std::max(2 * l.half, 3.0f) + 2};
  }
  // Says which values are left out because a row is too dense. Returns an empty text if no visible row leaves
  // out some of its values.
  std::string missing_values() const;
  std::string row_label(int row) const;
  std::string value_text(int row, const TreeNode& node) const;
  std::string short_text(const TreeNode& node, int room) const;
  // Returns the operator that computed a node's value.
  Operator operator_of(const TreeNode& node) const;
  float node_width(int row, const TreeNode& node) const;

  int current = 0;  // the highlighted row, as an index into Tree::rows
  // The visible rows, from first_row to last_row - 1.
  int first_row = 0, last_row = 0;
  // The first visible column, and the number of visible columns.
  int first_element = 0, element_count = 0;
  bool numbered = false;  // true if the elements' numbers are drawn above the rows
  // The y of the top of the first row, and the x of the left end of the first column.
  float first_y = 0, left = 0;
  // The distance between neighbouring rows, and between neighbouring columns, in dp.
  float pitch = 0, column = 0;
  float label_size = 12.5f;

 private:
  int stretch(const TreeNode& n) const { return static_cast<int>(x(n.element) / bucket); }
  void choose_columns();
  void choose_rows(float top, float height);
  RowLook choose_look(int row) const;
  float widest_text(int row, float size, float room) const;

  const ViewInput& in_;
  const Tree& tree_;
  std::vector<RowLook> looks_;  // one look for each visible row
};

}  // namespace upsweep
