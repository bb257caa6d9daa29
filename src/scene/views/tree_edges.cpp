#include "scene/views/tree_edges.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <span>
#include <utility>

namespace upsweep {
namespace {

// The smallest distance between neighbouring edges in dp. Edges at a smaller distance would look like one
// shape, so one of the edges is left out.
constexpr float edge_distance = 2.8f;
// If a node has more sources than this number, only every 2nd, 3rd, … source is examined.
constexpr std::size_t many_sources = 8192;

}  // namespace

void TreeEdges::draw(int row, bool behind) {
  const Style style = style_of(row, behind);
  const float coarse = coarseness(row);
  Last last;
  at_.for_each_standing_out(row,
                            [&](const TreeNode& n, std::size_t) { edges(row, n, style, coarse, &last); });
}

void TreeEdges::draw_all(int row, const TreeNode& n, Colour colour) {
  edges(row, n, {colour, colour, 1.5f}, 1, nullptr);
}

TreeEdges::Style TreeEdges::style_of(int row, bool behind) const {
  const Theme& t = p_.theme;
  const Tense when = at_.tense(row);
  Style s{t.ghost_text, mix(t.line, t.ghost_text, 0.35f), 1};
  if (when == Tense::now || when == Tense::next)
    s = {t.now, mix(t.now_soft, t.now, 0.45f),
         at_.look(row).room < 10 ? 1.0f
         : when == Tense::next   ? 1.2f
                                 : 2.0f};
  else if (when == Tense::future) s = {t.line, {0, 0, 0, 0}, 1};
  float opacity = behind ? 0.45f : 1.0f;
  // If the row has many nodes, or if one node has many sources, all edges of the row are thinner and fainter.
  constexpr std::size_t many = 16;
  const std::span<const TreeNode> nodes = at_.visible_nodes(tree_.rows[row]);
  if (nodes.size() > many ||
      std::ranges::any_of(nodes, [](const TreeNode& n) { return n.sources.size() > many; }))
    s.width = std::min(s.width, 1.1f), opacity *= 0.7f;
  if (at_.look(row).room < TreeLayout::dense) {
    opacity *= when == Tense::now ? 0.6f : 0.5f;
    s.width = 0.75f;
  }
  s.colour = faded(s.colour, opacity);
  s.waiting = faded(s.waiting, opacity);
  return s;
}

// Returns a width in dp. If several sources of a node are within this width, they share one edge. So a row
// has at most about 1,000 edges.
float TreeEdges::coarseness(int row) const {
  constexpr float most = 1000;
  float count = 0;
  at_.for_each_standing_out(row, [&](const TreeNode& n, std::size_t) {
    count += std::min(static_cast<float>(n.sources.size()), p_.width);
  });
  return std::max(1.0f, count / most);
}

// Draws the edges to a node. If the node has many sources, all sources within `coarse` dp share one edge.
void TreeEdges::edges(int row, const TreeNode& n, const Style& style, float coarse, Last* last) {
  const bool some = n.sources.size() > 4;
  const std::size_t step = 1 + n.sources.size() / many_sources;
  int drawn = INT_MIN;
  for (std::size_t i = 0; i < n.sources.size(); i += step) {
    const TreeNode::Source s = n.sources[i];
    const int place = static_cast<int>(at_.x(node(s).element) / coarse);
    if (!some || std::exchange(drawn, place) != place) edge(s, row, n, style, last);
  }
}

// Draws an edge: vertically from the source to the row above the node, then straight to the node. Leaves out
// the edge if it would be too near to the previously drawn edge (`last`). If `last` is null, always draws it.
void TreeEdges::edge(TreeNode::Source from, int row, const TreeNode& to, const Style& style, Last* last) {
  if (from.row >= row) return;  // no edge, because the same step stored and read the value
  const int element = node(from).element;
  const float a = at_.x(element), b = at_.x(to.element), end = at_.top_of(row);
  const float top = at_.shown(from.row) ? at_.bottom_of(from.row) : at_.first_y;
  const bool waits = from.row + 1 < row && at_.shown(row - 1);
  float begin = waits ? at_.y(row - 1) + 3 : top;
  if (last) {
    Last::Ends& before = last->of[a > b ? 0 : a < b ? 2 : 1];
    const float across = std::max(std::abs(a - before.a), std::abs(b - before.b)), down = end - begin;
    if (across * down < edge_distance * std::hypot(b - a, down)) {
      some_left_out_ = true;
      return;
    }
    before = {a, b};
  }
  if (waits && style.waiting.a > 0 && at_.visible(element))
    p_.line({a, top}, {a, begin}, style.waiting, std::min(style.width, 1.0f));
  // If the source's column is not visible, the edge begins at the border of the picture.
  const float inside = std::max(at_.left - 8, std::min(a, p_.width - p_.margin));
  if (inside != a) begin += (end - begin) * (inside - a) / (b - a);
  p_.line({inside, begin}, {b, end}, style.colour, style.width);
}

}  // namespace upsweep
