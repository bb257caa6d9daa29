// Tree: one column per element, one row per step that stored something, edges from the values that went in.
// How much of a row is drawn follows the room between its own neighbours, not n: rows of few nodes keep their
// values when rows of many have become marks, and those of more nodes than pixels become bars.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scene/draw.hpp"
#include "scene/names.hpp"
#include "scene/paint.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr float least_pitch = 20, most_pitch = 62;  // of rows
constexpr float dense = 3;                          // dp between neighbours below which nodes merge into bars
constexpr float bucket = 5;  // dp: where nodes merge, one edge and one target for each such stretch

constexpr float stagger = 5.5f;  // dp up and down, where values alternate to find room

// How the nodes of one row are drawn.
struct RowLook {
  float y = 0;
  float room = 0;    // dp between neighbouring nodes
  float text = 0;    // size of the values, 0: none
  float widest = 0;  // of their texts
  bool stagger = false;
  bool boxed = true;  // loaded and stored values stand without a box
};

enum class Tense { past, now, next, future };  // next: lit, but not yet stored

class TreePicture {
 public:
  explicit TreePicture(const ViewInput& in)
      : p_(in), in_(in), tree_(in.recording.tree), settings_(in.recording.trace.settings) {}

  Scene draw() {
    if (tree_.rows.empty() || tree_.columns == 0) {
      p_.title("Tree", "");
      p_.sentence("This recording stored nothing, so there is no tree to draw.");
      return std::move(p_.scene);
    }
    find_current();
    find_highlight();
    lay_out();
    title();
    column_numbers();
    for (int row = first_row_; row < last_row_; row++) band_and_label(row);
    for (int row = first_row_; row < last_row_; row++) edges(row);
    for (int row = first_row_; row < last_row_; row++) nodes(row);
    lit_edges();
    lit_nodes();
    return std::move(p_.scene);
  }

 private:
  const TreeNode& node(TreeNode::Source s) const { return tree_.rows[s.row].nodes[s.node]; }

  // --- what the cursor points at

  void find_current() {
    const int rows = static_cast<int>(tree_.rows.size());
    while (current_ + 1 < rows && tree_.rows[current_].step < in_.cursor.step) current_++;
  }

  Tense tense(int row) const {
    const int step = tree_.rows[row].step;
    if (step == in_.cursor.step) return Tense::now;
    if (step < in_.cursor.step) return Tense::past;
    return row == current_ ? Tense::next : Tense::future;
  }

  // The node under the mouse; or the one that last stored the element under the mouse in another view.
  void find_highlight() {
    const Id& hover = in_.cursor.hover;
    const bool by_row = hover.what == Id::What::node && hover.row >= 0;
    if (hover.element < 0) return;
    for (int row = static_cast<int>(tree_.rows.size()) - 1; row >= 0; row--) {
      const TreeRow& r = tree_.rows[row];
      if (by_row ? row != hover.row : r.output || r.step > in_.cursor.step) continue;
      const auto at = std::lower_bound(r.nodes.begin(), r.nodes.end(), hover.element,
                                       [](const TreeNode& n, int element) { return n.element < element; });
      if (at == r.nodes.end() || at->element != hover.element) continue;
      hovered_ = {row, static_cast<int>(at - r.nodes.begin())};
      lit_ = ancestors(tree_, hovered_);
      std::sort(lit_.begin(), lit_.end(),
                [](auto a, auto b) { return std::pair(a.row, a.node) < std::pair(b.row, b.node); });
      return;
    }
  }

  // --- where things stand

  void lay_out() {
    const Cursor& c = in_.cursor;
    const bool zoomed = c.element_count > 0 && c.element_count < tree_.columns;
    first_ = zoomed ? std::clamp(c.first_element, 0, tree_.columns - c.element_count) : 0;
    count_ = zoomed ? c.element_count : tree_.columns;

    p_.top = p_.height < 72 ? 4.0f : 40.0f;
    const int rows = static_cast<int>(tree_.rows.size());
    float room = p_.height - p_.top - 12;
    numbered_ = room / static_cast<float>(rows) >= 24;
    if (numbered_) room -= 16;
    const int fit = std::max(1, static_cast<int>(room / least_pitch));
    const int shown = std::min(rows, fit);
    first_row_ = std::clamp(current_ - shown / 2, 0, rows - shown);
    last_row_ = first_row_ + shown;
    pitch_ = std::min(room / static_cast<float>(shown), most_pitch);
    node_height_ = std::clamp(std::floor(pitch_ * 0.5f), 13.0f, 22.0f);

    float label = 0;
    for (int row = first_row_; row < last_row_; row++)
      label = std::max(label, text_width(row_label(row), label_size(), Face::bold));
    left_ = p_.margin + 12 + std::min(label, p_.width * 0.22f) + 20;
    column_ = (p_.width - p_.margin - 16 - left_) / static_cast<float>(count_);

    looks_.resize(tree_.rows.size());
    for (int row = 0; row < rows; row++) looks_[row] = look(row);
  }

  float label_size() const { return pitch_ < 26 ? 12.0f : 12.5f; }
  float x(int element) const { return left_ + (static_cast<float>(element - first_) + 0.5f) * column_; }
  float y(int row) const {
    const float begin = p_.top + (numbered_ ? 16 : 0);
    return begin + pitch_ * (static_cast<float>(row - first_row_) + 0.5f);
  }
  bool visible(int element) const { return element >= first_ && element < first_ + count_; }
  bool shown(int row) const { return row >= first_row_ && row < last_row_; }

  RowLook look(int row) const {
    const TreeRow& r = tree_.rows[row];
    RowLook l;
    l.y = y(row);
    l.boxed = !r.output && r.label.phase != Phase::load;
    int gap = count_, before = -1;
    for (const TreeNode& n : r.nodes) {
      if (!visible(n.element)) continue;
      if (before >= 0) gap = std::min(gap, n.element - before);
      before = n.element;
    }
    l.room = std::min(static_cast<float>(gap) * column_, 96.0f);
    if (!shown(row) || tense(row) == Tense::future || tense(row) == Tense::next) return l;
    const float border = l.boxed ? 7.0f : 2.0f;
    const bool may_stagger = pitch_ >= 24 && !l.boxed;
    for (const float room : {l.room, may_stagger ? 2 * l.room : 0.0f}) {
      for (float size = std::min(12.5f, node_height_ - 3); size >= 9 && room >= 9; size -= 1) {
        const float widest = widest_text(r, size, room - border);
        if (widest > room - border) continue;
        l.text = size;
        l.widest = widest;
        l.stagger = room > l.room;
        return l;
      }
    }
    return l;
  }

  int characters(float size, float room) const {
    return std::clamp(static_cast<int>(room / (size * advance('0', Face::regular))), 1, 9);
  }

  float widest_text(const TreeRow& r, float size, float room) const {
    float widest = 0;
    for (const TreeNode& n : r.nodes)
      if (visible(n.element)) {
        const std::string text = short_text(n.value, settings_, characters(size, room));
        widest = std::max(widest, text_width(text, size, Face::bold));
        if (widest > room) break;
      }
    return widest;
  }

  float node_width(const RowLook& l) const {
    if (l.text > 0) return std::min(std::max(l.widest + 8, node_height_), std::max(l.room - 1, l.widest + 4));
    return std::clamp(l.room * 0.7f, 1.0f, std::min(10.0f, node_height_ * 0.7f));
  }
  float node_top(int row) const {
    const RowLook& l = looks_[row];
    if (l.text > 0) return l.y - (l.boxed ? node_height_ / 2 : l.text * 0.5f + 2) - (l.stagger ? stagger : 0);
    return l.y - std::min(node_width(l), node_height_) / 2;
  }
  float node_bottom(int row) const { return 2 * looks_[row].y - node_top(row); }

  // --- words

  std::string row_label(int row) const {
    const TreeRow& r = tree_.rows[row];
    if (r.output) return "stored";
    if (r.label.phase == Phase::load) return "loaded";
    const bool goes_on = row > first_row_ && !tree_.rows[row - 1].output &&
                         tree_.rows[row - 1].label.phase == r.label.phase && r.label.stride > 0;
    return goes_on ? fmt::format("stride {}", r.label.stride) : step_text(r.label);
  }

  void title() {
    std::string what = "drawn from the recorded reads and writes";
    if (count_ < tree_.columns)
      what =
          fmt::format("elements {}–{} of {} · ", first_, first_ + count_ - 1, grouped(tree_.columns)) + what;
    if (last_row_ - first_row_ < static_cast<int>(tree_.rows.size()))
      what = fmt::format("rows {}–{} of {} · ", first_row_ + 1, last_row_, tree_.rows.size()) + what;
    std::string readout;
    if (hovered_.row >= 0) {
      const TreeNode& n = node(hovered_);
      const TreeRow& r = tree_.rows[hovered_.row];
      const Event& e = in_.recording.trace.events[n.event];
      const bool known = r.step <= in_.cursor.step;
      readout = fmt::format("{}[{}]{} · {} · thread {} · line {}", r.output ? "out" : "x", n.element,
                            known ? " = " + exact_text(n.value, settings_) : "", step_text(r.label),
                            thread_of(e, n.lane), e.line);
    }
    p_.title("Tree", what, readout);
  }

  void column_numbers() {
    if (!numbered_) return;
    int every = 1;
    while (static_cast<float>(every) * column_ < 16) every *= 2;
    while (static_cast<float>(every) * column_ <
           text_width(std::to_string(first_ + count_), 9, Face::regular) + 6)
      every *= 2;
    for (int e = first_; e < first_ + count_; e++)
      if (e % every == 0 || (e == first_ + count_ - 1 && static_cast<float>(e % every) * column_ >= 20))
        p_.text({x(e), p_.top + 6}, std::to_string(e), p_.theme.ghost_text, 9, Face::regular, Align::centre);
    p_.text({p_.margin + 12, p_.top + 6}, "element", p_.theme.ghost_text, 9);
  }

  void band_and_label(int row) {
    const Theme& t = p_.theme;
    const Tense when = tense(row);
    const bool lit = when == Tense::now || when == Tense::next;
    if (lit)
      p_.rect({p_.margin, y(row) - pitch_ / 2, p_.width - 2 * p_.margin, pitch_},
              {.fill = t.now_soft, .radius = 6});
    p_.text({p_.margin + 12, y(row)},
            cut(row_label(row), label_size(), lit ? Face::bold : Face::regular, left_ - p_.margin - 28),
            lit                     ? t.text
            : when == Tense::future ? mix(t.faint_text, t.ghost_text, 0.6f)
                                    : t.faint_text,
            label_size(), lit ? Face::bold : Face::regular);
  }

  // --- edges

  // From a source to a node: down the column in which the value waited, then across to the row that took it
  // up.
  void edge(TreeNode::Source from, int row, const TreeNode& to, Colour colour, float thickness,
            Colour waiting) {
    const int element = node(from).element;
    if (from.row >= row) return;  // within one row: stored and read again before the barrier
    const float a = x(element), b = x(to.element), end = node_top(row);
    float begin = shown(from.row) ? node_bottom(from.row) : y(first_row_) - pitch_ / 2;
    if (from.row + 1 < row && shown(row - 1) && visible(element)) {
      const float leave = y(row - 1) + 3;
      if (waiting.a > 0) p_.line({a, begin}, {a, leave}, waiting, std::min(thickness, 1.0f));
      begin = leave;
    }
    // A source beyond the zoom window points in from its edge.
    const float least = left_ - 8, most = p_.width - p_.margin;
    const float inside = std::clamp(a, least, most);
    if (inside != a) begin += (end - begin) * (inside - a) / (b - a);
    p_.line({inside, begin}, {b, end}, colour, thickness);
  }

  void edges(int row) {
    const Theme& t = p_.theme;
    const Tense when = tense(row);
    const float dim = lit_.empty() ? 1.0f : 0.45f;
    Colour colour = t.ghost_text, waiting = mix(t.line, t.ghost_text, 0.35f);
    float thickness = 1;
    if (when == Tense::now || when == Tense::next) {
      colour = t.now;
      waiting = mix(t.now_soft, t.now, 0.45f);
      thickness = looks_[row].room < 10 ? 1.0f : when == Tense::next ? 1.2f : 2.0f;
    } else if (when == Tense::future) {
      colour = t.line;
      waiting = {0, 0, 0, 0};
    }
    if (looks_[row].room < dense) colour = faded(colour, when == Tense::now ? 0.6f : 0.5f), thickness = 0.75f;
    colour = faded(colour, dim);
    waiting = faded(waiting, dim);
    int last = -1;
    for (const TreeNode& n : tree_.rows[row].nodes) {
      if (!drawn(row, n, last)) continue;
      for (std::size_t s = 0; s < n.sources.size(); s++)
        if (s == 0 || n.sources[s] != n.sources[0]) edge(n.sources[s], row, n, colour, thickness, waiting);
    }
  }

  // Whether a node gets an edge and a target of its own: all do, except the many that share a few pixels.
  bool drawn(int row, const TreeNode& n, int& last) const {
    if (!visible(n.element)) return false;
    if (looks_[row].room >= dense) return true;
    const int at = static_cast<int>(x(n.element) / bucket);
    if (at == last) return false;
    last = at;
    return true;
  }

  // --- nodes

  void nodes(int row) {
    dots(row);
    const TreeRow& r = tree_.rows[row];
    if (looks_[row].room < dense) bars(row);
    int last = -1;
    for (std::size_t i = 0; i < r.nodes.size(); i++) {
      const TreeNode& n = r.nodes[i];
      if (!drawn(row, n, last)) continue;
      const Id id = id_of(row, n);
      if (looks_[row].room >= dense) one_node(row, n, id, static_cast<int>(i));
      const float w = std::max(node_width(looks_[row]), std::min(looks_[row].room, 16.0f));
      p_.target({x(n.element) - w / 2, y(row) - pitch_ * 0.4f,
                 std::max(w, looks_[row].room < dense ? bucket : w), pitch_ * 0.8f},
                id);
    }
  }

  Id id_of(int row, const TreeNode& n) const {
    const Event& e = in_.recording.trace.events[n.event];
    Id id{.what = Id::What::node,
          .step = tree_.rows[row].step,
          .warp = e.warp,
          .lane = n.lane,
          .element = n.element};
    id.line = e.line;
    id.event = static_cast<int>(n.event);
    id.row = row;
    return id;
  }

  void one_node(int row, const TreeNode& n, const Id& id, int index) {
    const Theme& t = p_.theme;
    const RowLook& l = looks_[row];
    const Tense when = tense(row);
    const float w = node_width(l), cx = x(n.element);
    const float radius = std::min(5.0f, w / 3);
    if (l.text == 0) {
      const float side = std::min(w, node_height_);
      const Box box{cx - side / 2, l.y - side / 2, side, side};
      if (when == Tense::now)
        p_.rect(box,
                {.fill = n.operation ? t.now : t.now_soft, .stroke = t.now, .width = 1, .radius = radius},
                id);
      else if (when == Tense::next)
        p_.rect(box, {.fill = t.background, .stroke = t.now, .width = 1, .radius = radius}, id);
      else if (when == Tense::past)
        p_.rect(box,
                {.fill = n.operation ? t.ghost_text : t.background,
                 .stroke = t.ghost_text,
                 .width = 1,
                 .radius = radius},
                id);
      else p_.rect(box, {.fill = t.background, .stroke = t.line, .width = 1, .radius = radius}, id);
      return;
    }
    const float cy = l.y + (l.stagger ? (index % 2 == 0 ? -stagger : stagger) : 0.0f);
    const std::string value =
        short_text(n.value, settings_, characters(l.text, (l.stagger ? 2 : 1) * l.room));
    const Box box{cx - w / 2, l.y - node_height_ / 2, w, node_height_};
    if (when == Tense::now && l.boxed) {
      p_.rect(box,
              {.fill = n.operation ? t.now : t.background, .stroke = t.now, .width = 1.4f, .radius = radius},
              id);
      p_.text({cx, l.y}, value, n.operation ? t.on_now : t.text, l.text, Face::bold, Align::centre);
    } else {
      if (l.boxed)
        p_.rect(box,
                {.fill = t.background,
                 .stroke = n.operation ? t.ghost_text : t.cell_stroke,
                 .width = 1.2f,
                 .radius = radius},
                id);
      const bool now = when == Tense::now;
      p_.text({cx, cy}, value,
              now           ? t.now
              : n.operation ? t.text
                            : t.faint_text,
              l.text, now ? Face::bold : Face::regular, Align::centre);
    }
    operation_mark(row, n, w);
  }

  // The operator's sign beside the node, on the side from which no edge comes.
  void operation_mark(int row, const TreeNode& n, float w) {
    if (!n.operation || pitch_ < 36 || n.sources.size() < 2) return;
    const std::string_view sign = operation_sign(settings_.op);
    const float room = looks_[row].room - w, size = 11;
    const float half = text_width(sign, size, Face::bold) / 2;
    if (room < 4 * half + 8) return;
    bool from_right = false;
    for (const TreeNode::Source s : n.sources) from_right = from_right || node(s).element > n.element;
    const float at = x(n.element) + (from_right ? -1.0f : 1.0f) * (half + 5);
    p_.text({at, node_top(row) - 7}, sign, tense(row) == Tense::now ? p_.theme.now : p_.theme.faint_text,
            size, Face::bold, Align::centre);
  }

  // Elements that the step leaves alone.
  void dots(int row) {
    if (column_ < 6) return;
    const Theme& t = p_.theme;
    const Tense when = tense(row);
    const Colour colour = when == Tense::future ? t.line
                          : when == Tense::past ? mix(t.line, t.ghost_text, 0.7f)
                                                : t.ghost_text;
    const float r = column_ < 10 ? 1.0f : 1.5f;
    std::size_t next = 0;
    const auto& nodes = tree_.rows[row].nodes;
    for (int e = 0; e < first_ + count_; e++) {
      while (next < nodes.size() && nodes[next].element < e) next++;
      if (e < first_ || (next < nodes.size() && nodes[next].element == e)) continue;
      p_.rect({x(e) - r, y(row) - r, 2 * r, 2 * r}, {.fill = colour, .radius = r});
    }
  }

  // More nodes than pixels: neighbours that touch become one bar.
  void bars(int row) {
    const Theme& t = p_.theme;
    const Tense when = tense(row);
    const Colour colour = when == Tense::now    ? t.now
                          : when == Tense::past ? t.ghost_text
                          : when == Tense::next ? mix(t.now_soft, t.now, 0.4f)
                                                : t.line;
    const float h = std::clamp(pitch_ * 0.16f, 3.0f, 6.0f);
    const auto& nodes = tree_.rows[row].nodes;
    const float least = std::max(column_, 1.0f);
    for (std::size_t begin = 0, end = 0; begin < nodes.size(); begin = end) {
      end = begin + 1;
      if (!visible(nodes[begin].element)) continue;
      while (end < nodes.size() && visible(nodes[end].element) &&
             x(nodes[end].element) - x(nodes[end - 1].element) < 1.5f)
        end++;
      const float from = x(nodes[begin].element) - least / 2, to = x(nodes[end - 1].element) + least / 2;
      p_.rect({from, y(row) - h / 2, to - from, h}, {.fill = colour});
    }
  }

  // --- everything that went into the value under the mouse

  void lit_edges() {
    const Colour colour = p_.theme.text;
    std::vector<int> last(tree_.rows.size(), -1);
    for (const TreeNode::Source at : lit_) {
      if (!shown(at.row)) continue;
      const TreeNode& n = node(at);
      if (!drawn(at.row, n, last[at.row])) continue;
      for (const TreeNode::Source s : n.sources) edge(s, at.row, n, colour, 1.5f, colour);
    }
  }

  void lit_nodes() {
    const Theme& t = p_.theme;
    std::vector<int> last(tree_.rows.size(), -1);
    for (const TreeNode::Source at : lit_)
      if (shown(at.row) && drawn(at.row, node(at), last[at.row]))
        ring(at.row, node(at), t.text, at == hovered_ ? 2.0f : 1.5f);
    // The nodes of a lane that is under the mouse in another view.
    const Id& hover = in_.cursor.hover;
    if (hover.what == Id::What::node || hover.lane < 0) return;
    for (int row = first_row_; row < last_row_; row++)
      if (tense(row) == Tense::now)
        for (const TreeNode& n : tree_.rows[row].nodes)
          if (visible(n.element) && n.lane == hover.lane &&
              in_.recording.trace.events[n.event].warp == hover.warp)
            ring(row, n, t.text, 2);
  }

  void ring(int row, const TreeNode& n, Colour colour, float thickness) {
    const RowLook& l = looks_[row];
    const float w = l.text > 0 ? node_width(l) : std::max(std::min(node_width(l), node_height_), 3.0f);
    const float h = l.text > 0 ? node_bottom(row) - node_top(row) : w;
    p_.rect({x(n.element) - w / 2 - 1, l.y - h / 2 - 1, w + 2, h + 2},
            {.stroke = colour, .width = thickness, .radius = std::min(6.0f, w / 3)});
  }

  Painter p_;
  const ViewInput& in_;
  const Tree& tree_;
  const Settings& settings_;
  int current_ = 0;                   // the lit row
  int first_row_ = 0, last_row_ = 0;  // rows shown
  int first_ = 0, count_ = 0;         // columns shown
  bool numbered_ = false;
  float left_ = 0, column_ = 0, pitch_ = 0, node_height_ = 0;
  std::vector<RowLook> looks_;
  TreeNode::Source hovered_{-1, -1};
  std::vector<TreeNode::Source> lit_;
};

}  // namespace

Scene draw_tree(const ViewInput& in) { return TreePicture(in).draw(); }

}  // namespace upsweep
