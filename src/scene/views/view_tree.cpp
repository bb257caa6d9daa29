// The view "Tree" has a column for each element, rows for steps that loaded, computed or stored values, and
// edges from operands to results. The recording's dataflow determines the rows, nodes and edges.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/language.hpp"
#include "scene/views/nodes.hpp"
#include "scene/views/tree_edges.hpp"
#include "scene/views/tree_layout.hpp"
#include "scene/views/tree_marks.hpp"
#include "scene/views/views.hpp"
#include "trace/value.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

class TreePicture {
 public:
  TreePicture(const ViewInput& in, ViewPen painter)
      : p_(std::move(painter)),
        in_(in),
        tree_(tree_at(in.recording, in.cursor)),
        expected_(in, tree_),
        at_(in, p_, expected_.height(p_.height)) {}

  // Returns a motion in which the values of the sources move along the edges to the step's nodes.
  Motion motion() {
    Motion covers, moving;
    for (int row = at_.first_row; row < at_.last_row; row++) {
      if (at_.tense(row) != Tense::now || at_.look(row).text <= 0 || at_.look(row).room < TreeLayout::dense)
        continue;
      at_.for_each_standing_out(row, [&](const TreeNode& n, std::size_t i) {
        if (!at_.has_value(row, i) || moving.size() > 2 * most_moving) return;
        cover(covers, row, n, i % 2 == 0);
        for (const TreeNode::Source s : n.sources) {
          if (moving.size() > 2 * most_moving) return;
          move(moving, s, row, n, i % 2 == 0);
        }
      });
    }
    if (moving.size() > 2 * most_moving) return {};
    covers.insert(covers.end(), moving.begin(), moving.end());
    return covers;
  }

  ViewPicture draw() {
    find_highlight();
    column_numbers();
    for (int row = at_.first_row; row < at_.last_row; row++) band_and_label(row);
    for (int row = at_.first_row; row < at_.last_row; row++) edges_.draw(row, !lit_.empty());
    for (int row = at_.first_row; row < at_.last_row; row++) nodes(row);
    highlight();
    expected_.draw(p_, at_);
    draw_tree_marks(p_, in_, tree_, at_);
    title();
    return std::move(p_).picture();
  }

 private:
  // In a row with more than `many` nodes, only nodes with edges are highlighted.
  static constexpr std::size_t many = 8192, most_lit = 20'000;  // at most `most_lit` sources are highlighted

  const TreeNode& node(TreeNode::Source s) const { return tree_.rows[s.row].nodes[s.node]; }
  const Event& event(const TreeNode& n) const { return in_.recording.trace.events[n.event]; }

  // Finds the node under the mouse. If the mouse is over an element in another view, finds the node of the
  // element's newest store up to the current step.
  void find_highlight() {
    const int element = element_of(in_.cursor.hover);
    if (element < 0) return;
    const auto* pointed = as<NodeId>(in_.cursor.hover);
    if (pointed && pointed->row >= 0) {
      if (pointed->row < static_cast<int>(tree_.rows.size())) find_node(pointed->row, element);
      return;
    }
    auto row = std::partition_point(tree_.stored.begin(), tree_.stored.end(),
                                    [&](int r) { return tree_.rows[r].step <= in_.cursor.step; });
    while (row != tree_.stored.begin() && !find_node(*--row, element)) {}
  }

  bool find_node(int row, int element) {
    const int node = node_in(tree_.rows[row], element);
    if (node < 0) return false;
    hovered_ = {row, node};
    lit_ = ancestors(tree_, hovered_, most_lit);
    std::sort(lit_.begin(), lit_.end(),
              [](auto a, auto b) { return std::pair(a.row, a.node) < std::pair(b.row, b.node); });
    return true;
  }

  // --- motion

  Point middle_of(int row, const TreeNode& n, bool even) const {
    const float by = !at_.look(row).stagger ? 0 : even ? -TreeLayout::stagger : TreeLayout::stagger;
    return {at_.x(n.element), at_.y(row) + by};
  }

  // Hides a node's value until the values of the node's sources have arrived.
  void cover(Motion& motion, int row, const TreeNode& n, bool even) const {
    const Theme& t = p_.theme;
    const Point at = middle_of(row, n, even);
    const RowLook& look = at_.look(row);
    const float w =
        std::max(at_.node_width(row, n), text_width(at_.value_text(row, n), look.text, Face::bold) + 2);
    const Box box{at.x - w / 2, at.y - look.half, w, 2 * look.half};
    motion.push_back({RectShape{box, t.now_soft, t.now_soft, 0, 0}});
    if (look.boxed)
      motion.push_back({RectShape{box, t.background, t.now, 1.4f, std::min(5.0f, look.width / 3)}});
  }

  void move(Motion& motion, TreeNode::Source s, int row, const TreeNode& n, bool even) const {
    const TreeNode& from = node(s);
    if (s.row >= row || !at_.shown(s.row) || !at_.visible(from.element)) return;
    const Theme& t = p_.theme;
    const RowLook& look = at_.look(row);
    const Point to = middle_of(row, n, even);
    const Point by{at_.x(from.element) - to.x, at_.y(s.row) - to.y};
    const std::string text = at_.value_text(s.row, from);
    const float w = text_width(text, look.text, Face::bold) + 6;
    motion.push_back({RectShape{{to.x - w / 2, to.y - look.half, w, 2 * look.half},
                                t.now_soft,
                                t.now,
                                1.2f,
                                std::min(5.0f, w / 3)},
                      by});
    motion.push_back({TextShape{to, text, t.text, look.text, Face::bold, Align::centre}, by});
  }

  // --- title and labels

  void title() {
    std::string what = tree_.some_sources || edges_.some_left_out()
                           ? tr("not all lines are shown")
                           : tr("drawn from the recorded reads and writes");
    const int grid = grid_index(in_.recording.trace, in_.cursor.step);
    if (const Grid& g = in_.recording.trace.grids[static_cast<std::size_t>(grid)]; g.blocks > 1)
      what = tr("block {} · {}", block_text(g, in_.cursor.block), what);
    if (const std::string launch = launch_text(in_.recording.trace, grid); !launch.empty())
      what = fmt::format("{} · {}", launch, what);
    if (at_.element_count < tree_.columns)
      what = tr("elements {}–{} ({} in all) · {}", at_.first_element,
                at_.first_element + at_.element_count - 1, grouped(tree_.columns), what);
    if (at_.last_row - at_.first_row < static_cast<int>(tree_.rows.size()))
      what = tr("rows {}–{} of {} · {}", at_.first_row + 1, at_.last_row, tree_.rows.size(), what);
    if (const std::string missing = at_.missing_values(); !missing.empty()) what = missing + " · " + what;
    if (underlined_) what += tr(" · underlined: final");
    p_.title(what, hovered_.row < 0
                       ? ""
                       : node_readout({in_.recording, in_.cursor}, tree_.rows[hovered_.row], node(hovered_)));
  }

  void column_numbers() {
    if (!at_.numbered) return;
    const Colour colour = mix(p_.theme.ghost_text, p_.theme.faint_text, 0.5f);
    const float y = p_.top + 6;
    const int end = at_.first_element + at_.element_count;
    const float room = std::max(16.0f, text_width(std::to_string(end), 9, Face::regular) + 6);
    int every = 1;
    while (every < at_.element_count && static_cast<float>(every) * at_.column < room) every *= 2;
    const int beyond = (end - 1) % every;
    const bool has_last = beyond != 0 && static_cast<float>(beyond) * at_.column >= room;
    for (int e = at_.first_element; e < end; e++)
      if (e % every == 0 || (e == end - 1 && has_last))
        p_.text({at_.x(e), y}, std::to_string(e), colour, 9, Face::regular, Align::centre);
    p_.text({p_.margin + 12, y}, tr("element"), colour, 9);
  }

  void band_and_label(int row) {
    const Theme& t = p_.theme;
    const Tense when = at_.tense(row);
    const bool lit = when == Tense::now || when == Tense::next;
    const float y = at_.y(row);
    if (lit)
      p_.rect({p_.margin, y - at_.pitch / 2, p_.width - 2 * p_.margin, at_.pitch},
              {.fill = t.now_soft, .radius = 6});
    const Face face = lit ? Face::bold : Face::regular;
    const Colour colour = lit                     ? t.text
                          : when == Tense::future ? mix(t.faint_text, t.ghost_text, 0.6f)
                                                  : t.faint_text;
    p_.text({p_.margin + 12, y}, cut(at_.row_label(row), at_.label_size, face, at_.left - p_.margin - 28),
            colour, at_.label_size, face);
  }

  // --- nodes

  void nodes(int row) {
    dots(row);
    const RowLook& look = at_.look(row);
    const bool merged = look.room < TreeLayout::dense;
    if (merged) bars(row);
    at_.for_each_standing_out(row, [&](const TreeNode& n, std::size_t i) {
      const Id id = id_of(row, n);
      if (!merged && at_.has_value(row, i)) value(row, n, id, i % 2 == 0);
      else if (!merged && look.every == 1) mark(row, n, id);
      const float w =
          std::max({at_.node_width(row, n), std::min(look.room, 16.0f), merged ? TreeLayout::bucket : 0.0f});
      p_.target({at_.x(n.element) - w / 2, at_.y(row) - at_.pitch * 0.4f, w, at_.pitch * 0.8f}, id);
    });
  }

  Id id_of(int row, const TreeNode& n) const {
    return NodeId{tree_.rows[row].step,
                  row,
                  n.element,
                  {static_cast<int>(n.event), event(n).warp, n.lane, event(n).line}};
  }

  // Draws a node with its value. A computed value has a filled node; a copied value has an outlined node.
  void value(int row, const TreeNode& n, const Id& id, bool even) {
    const Theme& t = p_.theme;
    const RowLook& look = at_.look(row);
    const bool now = at_.tense(row) == Tense::now;
    const Point middle = middle_of(row, n, even);
    Colour ink = now ? t.now : n.operation ? t.text : t.faint_text;
    if (look.boxed) {
      const Colour stroke = now ? t.now : n.operation ? t.ghost_text : t.cell_stroke;
      const float w = at_.node_width(row, n);
      p_.rect({middle.x - w / 2, middle.y - look.half, w, 2 * look.half},
              {.fill = now && n.operation ? t.now : t.background,
               .stroke = stroke,
               .width = now ? 1.4f : 1.2f,
               .radius = std::min(5.0f, look.width / 3)},
              id);
      if (now) ink = n.operation ? t.on_now : t.text;
    }
    p_.text(middle, at_.value_text(row, n), ink, look.text, now ? Face::bold : Face::regular, Align::centre);
    if (n.operation) operation_mark(row, n);
    if (!n.final || at_.tense(row) == Tense::future) return;
    underlined_ = true;
    const float half = at_.node_width(row, n) / 2, y = middle.y + look.half + 2.5f;
    p_.line({middle.x - half, y}, {middle.x + half, y}, t.broadcast, 2);
  }

  // Draws a node without its value, because the value is not stored yet or does not fit.
  void mark(int row, const TreeNode& n, const Id& id) {
    const Theme& t = p_.theme;
    const Tense when = at_.tense(row);
    const RowLook& look = at_.look(row);
    RectStyle style{
        .fill = t.background, .stroke = t.line, .width = 1, .radius = std::min(5.0f, look.width / 3)};
    if (when == Tense::now || when == Tense::next) style.stroke = t.now;
    if (when == Tense::past) style.stroke = t.ghost_text;
    if (when == Tense::now) style.fill = n.operation ? t.now : t.now_soft;
    if (when == Tense::past && n.operation) style.fill = t.ghost_text;
    p_.rect({at_.x(n.element) - look.half, at_.y(row) - look.half, 2 * look.half, 2 * look.half}, style, id);
  }

  // Draws the operator's sign beside the node. The sign is at the left only if an edge comes from the right.
  void operation_mark(int row, const TreeNode& n) {
    constexpr float size = 11;
    const std::string_view sign = operation_sign(at_.operator_of(n));
    const float half = text_width(sign, size, Face::bold) / 2;
    if (at_.pitch < 36 || n.sources.size() < 2 || at_.look(row).room - at_.look(row).width < 4 * half + 8)
      return;
    const bool from_right = std::any_of(n.sources.begin(), n.sources.end(),
                                        [&](TreeNode::Source s) { return node(s).element > n.element; });
    const Point at{at_.x(n.element) + (from_right ? -half - 5 : half + 5), at_.top_of(row) - 7};
    p_.text(at, sign, at_.tense(row) == Tense::now ? p_.theme.now : p_.theme.faint_text, size, Face::bold,
            Align::centre);
  }

  // Draws dots for elements that the step does not change.
  void dots(int row) {
    if (at_.column < 6) return;
    const Theme& t = p_.theme;
    const Tense when = at_.tense(row);
    const Colour colour = when == Tense::future ? t.line
                          : when == Tense::past ? mix(t.line, t.ghost_text, 0.7f)
                                                : t.ghost_text;
    const float r = at_.column < 10 ? 1.0f : 1.5f;
    const std::span<const TreeNode> nodes = at_.visible_nodes(tree_.rows[row]);
    std::size_t next = 0;
    for (int e = at_.first_element; e < at_.first_element + at_.element_count; e++) {
      while (next < nodes.size() && nodes[next].element < e) next++;
      if (next < nodes.size() && nodes[next].element == e) continue;
      p_.rect({at_.x(e) - r, at_.y(row) - r, 2 * r, 2 * r}, {.fill = colour, .radius = r});
    }
  }

  // Draws a row whose nodes have a smaller distance than TreeLayout::dense. Nodes that touch become one bar.
  void bars(int row) {
    const Theme& t = p_.theme;
    const Tense when = at_.tense(row);
    const Colour colour = when == Tense::now    ? t.now
                          : when == Tense::past ? t.ghost_text
                          : when == Tense::next ? mix(t.now_soft, t.now, 0.4f)
                                                : t.line;
    const float height = std::clamp(at_.pitch * 0.16f, 3.0f, 6.0f), least = std::max(at_.column, 1.0f);
    const std::span<const TreeNode> nodes = at_.visible_nodes(tree_.rows[row]);
    for (auto begin = nodes.begin(); begin != nodes.end();) {
      // The bar contains this node and all next nodes that touch the bar.
      auto behind = begin + 1;
      for (auto reached = begin; reached < behind;) {
        reached = behind;
        const float reach = at_.x((behind - 1)->element);
        behind = std::partition_point(behind, nodes.end(),
                                      [&](const TreeNode& n) { return at_.x(n.element) - reach < 1.5f; });
      }
      const float from = at_.x(begin->element) - least / 2, to = at_.x((behind - 1)->element) + least / 2;
      p_.rect({from, at_.y(row) - height / 2, to - from, height}, {.fill = colour});
      begin = behind;
    }
  }

  // --- highlights: all sources of a value, or the nodes of a lane or of a source line

  void highlight() {
    const Colour colour = p_.theme.text;
    std::vector<int> last(static_cast<std::size_t>(at_.last_row - at_.first_row), -1);
    for (const TreeNode::Source s : lit_)
      if (at_.shown(s.row) && at_.stands_out(s.row, node(s), last[s.row - at_.first_row]))
        edges_.draw_all(s.row, node(s), colour);
    std::fill(last.begin(), last.end(), -1);
    for (const TreeNode::Source s : lit_)
      if (at_.shown(s.row) && at_.stands_out(s.row, node(s), last[s.row - at_.first_row]))
        ring(s.row, node(s), s == hovered_ ? 2.0f : 1.5f);

    const Id& hover = in_.cursor.hover;
    if (!is_lane(hover) && !is<LineId>(hover)) return;
    const auto points_at = [&](const TreeNode& n) {
      if (is_lane(hover)) return lane_of(hover, event(n).warp) == n.lane;
      const auto* line = as<LineId>(hover);
      return line && event(n).line == line->line;
    };
    for (int row = at_.first_row; row < at_.last_row; row++) {
      if (at_.tense(row) != Tense::now) continue;
      const std::span<const TreeNode> nodes = at_.visible_nodes(tree_.rows[row]);
      int before = -1;
      const auto look_at = [&](const TreeNode& n, std::size_t = 0) {
        if (points_at(n) && at_.stands_out(row, n, before)) ring(row, n, 2);
      };
      if (nodes.size() > many) at_.for_each_standing_out(row, look_at);
      else
        for (const TreeNode& n : nodes) look_at(n);
    }
  }

  void ring(int row, const TreeNode& n, float width) {
    const auto [w, h] = at_.ring_size(row, n);
    p_.rect({at_.x(n.element) - w / 2, at_.y(row) - h / 2, w, h},
            {.stroke = p_.theme.text, .width = width, .radius = std::min(6.0f, w / 3)});
  }

  ViewPen p_;
  const ViewInput& in_;
  const Tree& tree_;
  const ExpectedRow expected_;
  const TreeLayout at_;
  TreeEdges edges_{p_, tree_, at_};
  TreeNode::Source hovered_{-1, -1};
  std::vector<TreeNode::Source> lit_;
  bool underlined_ = false;  // true if at least one final value is underlined
};

ViewPicture draw_tree(const ViewInput& in) {
  ViewPen p(in);
  const Tree& tree = tree_at(in.recording, in.cursor);
  if (tree.rows.empty() || tree.columns == 0) {
    const Trace& trace = in.recording.trace;
    const bool seen = in_focus(trace, grid_index(trace, in.cursor.step), in.cursor.block);
    p.sentence(seen ? tr("This block stored nothing, so there is no tree to draw.")
                    : tr("This block was not recorded in full, so the tree is not known."));
    return std::move(p).picture();
  }
  return TreePicture(in, std::move(p)).draw();
}

Motion tree_motion(const ViewInput& in) {
  const Tree& tree = tree_at(in.recording, in.cursor);
  constexpr int legible = 512;  // with more columns, the tree has no values
  if (tree.rows.empty() || visible_columns(in.cursor, tree.columns).count > legible) return {};
  return TreePicture(in, ViewPen(in)).motion();
}

// Returns the id of the value, element, lane or line that this view highlights for the id `hover`.
Id tree_sees(const Id& hover) {
  if (const auto* node = as<NodeId>(hover)) return NodeId{.row = node->row, .element = node->element};
  if (const auto* line = as<LineId>(hover)) return LineId{-1, line->line};
  if (const auto* served = as<ServedId>(hover))
    return ServedId{.element = served->element, .by = {-1, served->by.warp, served->by.lane, 0}};
  if (const auto* cell = as<CellId>(hover)) return CellId{.element = cell->element};
  return is<LaneId>(hover) ? sees_lane(hover) : Id();
}

}  // namespace

extern const View tree_view{.name = "tree",
                            .title = tr_noop("Tree"),
                            .home = Home::tree,
                            .draw = draw_tree,
                            .tip = node_tip,
                            .click = click_on_node,
                            .sees = tree_sees,
                            .hand = Hand::zooms,
                            .motion = tree_motion};

}  // namespace upsweep
