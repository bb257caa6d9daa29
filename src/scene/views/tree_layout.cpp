#include "scene/views/tree_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/language.hpp"
#include "trace/value.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// The smallest and the largest distance between rows in dp.
constexpr float least_pitch = 20, most_pitch = 88;
constexpr float presented_pitch = 26;  // the smallest distance between rows in a presentation, in dp

// Returns the number of characters of a number that fit into the room. The result is at least 5, because 4
// characters would shorten 0.125 to 0.1.
int characters(float size, float room) {
  return std::clamp(static_cast<int>(room / (size * advance('0', Face::regular))), 5, 9);
}

// Returns true if the row stores the run's only output, but a later store replaces the value. For example,
// blocks add their sums to the output with atomics.
bool is_replaced(const Trace& trace, const TreeRow& row) {
  return row.nodes.size() == 1 && trace.output.size() == 1 && row.nodes[0].element == 0 &&
         row.nodes[0].value != trace.output[0];
}

// Returns the width in dp that must be free beside a value.
float border_of(const RowLook& look, bool presented) { return !look.boxed ? 3.0f : presented ? 4.0f : 7.0f; }

}  // namespace

TreeLayout::TreeLayout(const ViewInput& in, const Painter& p, float below)
    : in_(in), tree_(tree_at(in.recording, in.cursor)) {
  const int rows = static_cast<int>(tree_.rows.size());
  const auto lit = std::partition_point(tree_.rows.begin(), tree_.rows.end(),
                                        [&](const TreeRow& r) { return r.step < in.cursor.step; });
  current = std::min(static_cast<int>(lit - tree_.rows.begin()), rows - 1);
  choose_columns();
  choose_rows(p.top, p.height - p.top - 12 - below);

  label_size = in.presented ? 13.5f : pitch < 26 ? 12.0f : 12.5f;
  float label = 0;
  for (int row = first_row; row < last_row; row++)
    label = std::max(label, text_width(row_label(row), label_size, Face::bold));
  // The first visible row has a long label, with the name of the phase. If not all rows fit, every row may
  // become the first visible row. So the room for labels fits the long labels of all rows, and the columns do
  // not move when the first visible row changes.
  constexpr int most_rows = 1024;
  for (int row = 0; row < std::min(rows, most_rows) && last_row - first_row < rows; row++)
    label = std::max(
        label, text_width(step_text(in_.recording.trace, tree_.rows[row].label), label_size, Face::bold));
  left = p.margin + 12 + std::min(label, p.width * 0.22f) + (in.presented ? 14.0f : 32.0f);
  // If the tree has only a few elements, the columns are close together in the middle of the picture.
  const float room = std::max(1.0f, p.width - p.margin - 16 - left);
  const float widest_column = std::max(in.presented ? 96.0f : 48.0f, 2 * pitch);
  column = std::min(room / static_cast<float>(element_count), widest_column);
  left += (room - column * static_cast<float>(element_count)) / 2;

  for (int row = first_row; row < last_row; row++) looks_.push_back(choose_look(row));
}

void TreeLayout::choose_columns() {
  const VisibleColumns visible = visible_columns(in_.cursor, tree_.columns);
  first_element = visible.first;
  element_count = visible.count;
}

// Shows all rows if all rows fit. Otherwise, shows the rows around the highlighted row.
void TreeLayout::choose_rows(float top, float height) {
  const int rows = static_cast<int>(tree_.rows.size());
  numbered = height / static_cast<float>(rows) >= (in_.presented ? presented_pitch + 4 : 24.0f);
  first_y = top + (numbered ? 16 : 0);
  height -= first_y - top;
  // A presentation shows all rows of a small tree, even if the rows are a little closer together than usual.
  float least = in_.presented ? presented_pitch : least_pitch;
  if (const float all = height / static_cast<float>(rows); in_.presented && all >= 22)
    least = std::min(least, all);
  const int count = std::clamp(static_cast<int>(height / least + 0.01f), 1, rows);
  // A presentation shows more earlier rows than later rows, because earlier rows have values.
  first_row = std::clamp(current - (in_.presented ? count * 2 / 3 : count / 2), 0, rows - count);
  last_row = first_row + count;
  pitch = std::min(height / static_cast<float>(count), most_pitch);
}

Tense TreeLayout::tense(int row) const {
  const int step = tree_.rows[row].step;
  if (step == in_.cursor.step) return Tense::now;
  if (step < in_.cursor.step) return Tense::past;
  return row == current ? Tense::next : Tense::future;
}

RowLook TreeLayout::choose_look(int row) const {
  const TreeRow& r = tree_.rows[row];
  RowLook l;
  const bool made = r.place == TreeRow::Place::shared || r.place == TreeRow::Place::registers || !r.output;
  l.boxed = made && r.place != TreeRow::Place::loaded && r.label.phase != Phase::load;
  int gap = element_count;
  // The width in dp that a value may use. If the first value is near the label of the row, the width is
  // smaller.
  float beside = 96;
  const std::span<const TreeNode> nodes = visible_nodes(r);
  if (!nodes.empty()) beside = std::min(beside, 2 * (x(nodes.front().element) - left + 24));
  // Uses the mean gap if a row has very many nodes, because measuring every gap would take too long.
  if (nodes.size() > 8192) gap = element_count / static_cast<int>(nodes.size());
  else
    for (std::size_t i = 1; i < nodes.size(); ++i)
      gap = std::min(gap, nodes[i].element - nodes[i - 1].element);
  l.room = std::min(static_cast<float>(gap) * column, beside);

  const float height = in_.presented
                           ? std::clamp(std::floor(pitch * 0.66f), 13.0f, 54.0f)
                           : std::clamp(std::floor(pitch * (pitch < 56 ? 0.5f : 0.42f)), 13.0f, 38.0f);
  const float mark = std::min({10.0f, height * 0.7f, std::max(l.room * 0.7f, 1.0f)});
  l.width = mark;
  l.half = mark / 2;
  if (!shown(row) || tense(row) == Tense::future || tense(row) == Tense::next) return l;

  // Finds the largest text size at which all values fit: in one line, or with values that are alternately a
  // little higher and a little lower.
  const float border = border_of(l, in_.presented);
  const bool may_stagger = pitch >= 24 && !l.boxed;
  for (const float room : {l.room, may_stagger ? 2 * l.room : 0.0f}) {
    // The text is larger if values have much room.
    const float largest = in_.presented ? 34.0f : std::clamp(room / 4, 15.0f, 22.0f);
    // Values at alternating heights have a vertical distance of 11 dp.
    const float tallest = room > l.room   ? 2 * stagger
                          : in_.presented ? height * 0.74f
                          : height < 22   ? height - 3
                                          : height * 0.58f;
    for (float size = std::min(largest, tallest); size >= 9 && room >= 9; size -= 1) {
      const float widest = widest_text(row, size, room - border);
      if (widest > room - border) continue;
      l.text = size;
      l.stagger = room > l.room;
      l.width = std::min(std::max(widest + 8, height), std::max(l.room - 1, widest + 4));
      l.half = (l.boxed ? height / 2 : size / 2 + 2) + (l.stagger ? stagger : 0);
      return l;
    }
  }
  // If no text size fits, only every 2nd, 4th, 8th or 16th node shows its value, or no node shows its value.
  constexpr float smallest = 9, least_room = 4;
  for (int every = 2; every <= 16 && l.room >= least_room; every *= 2) {
    const float room = l.room * static_cast<float>(every), widest = widest_text(row, smallest, room - border);
    if (widest > room - border) continue;
    l.every = every;
    l.text = smallest;
    l.width = widest + 4;
    l.half = smallest / 2 + 2;
    return l;
  }
  return l;
}

std::span<const TreeNode> TreeLayout::visible_nodes(const TreeRow& row) const {
  const auto at = [&](int element) {
    return std::partition_point(row.nodes.begin(), row.nodes.end(),
                                [&](const TreeNode& n) { return n.element < element; });
  };
  return {at(first_element), at(first_element + element_count)};
}

float TreeLayout::widest_text(int row, float size, float room) const {
  float widest = 0;
  for (const TreeNode& n : visible_nodes(tree_.rows[row])) {
    const std::string text = short_text(n, characters(size, room));
    widest = std::max(widest, text_width(text, size, Face::bold));
    if (widest > room) break;
  }
  return widest;
}

float TreeLayout::node_width(int row, const TreeNode& node) const {
  const RowLook& l = look(row);
  if (l.text == 0) return l.width;
  const float own = text_width(value_text(row, node), l.text, Face::bold);
  return std::min(l.width, std::max(own + 8, l.boxed ? 2 * l.half : 0.0f));
}

std::string TreeLayout::value_text(int row, const TreeNode& node) const {
  const RowLook& l = look(row);
  const float room = static_cast<float>(l.stagger ? 2 : l.every) * l.room - border_of(l, in_.presented);
  return short_text(node, characters(l.text, room));
}

std::string TreeLayout::short_text(const TreeNode& node, int room) const {
  const Trace& trace = in_.recording.trace;
  return upsweep::short_text(node.value, trace.settings, trace.cells_of(trace.events[node.event]), room);
}

std::string TreeLayout::missing_values() const {
  int most = 1;
  bool alike = true;
  for (const RowLook& look : looks_) {
    if (look.text == 0 || look.every == 1) continue;
    alike = alike && (most == 1 || most == look.every);
    most = std::max(most, look.every);
  }
  if (most == 1) return {};
  if (!alike) return tr("dense rows do not show all values");
  return most == 2 ? tr("dense rows show every second value") : tr("dense rows show every {}th value", most);
}

Operator TreeLayout::operator_of(const TreeNode& node) const {
  const Trace& trace = in_.recording.trace;
  return upsweep::operator_of(trace.settings, trace.cells_of(trace.events[node.event]));
}

// Returns the label of a row. The first visible row of a phase has the phase's name. Later rows of the phase
// have the stride. Some rows have another label:
// - rows of the output: "stored";
// - rows of loaded values: the memory from which the values come, such as "from in";
// - some rows of stored values: the memory that contains the values, such as "to temp";
// - the remaining rows of the phase `load`: "loaded".
std::string TreeLayout::row_label(int row) const {
  const TreeRow& r = tree_.rows[row];
  const Trace& trace = in_.recording.trace;
  if (r.output) return is_replaced(trace, r) ? tr("stored so far") : tr("stored");
  if (r.place == TreeRow::Place::loaded) return tr("from ") + buffer_name(trace, r.index);
  const bool second =
      row > 0 && tree_.rows[row - 1].step == r.step && tree_.rows[row - 1].place != TreeRow::Place::loaded;
  if (second && r.place == TreeRow::Place::global) return tr("to ") + buffer_name(trace, r.index);
  const bool from_registers = second && tree_.rows[row - 1].place == TreeRow::Place::registers;
  if (r.place == TreeRow::Place::shared && (r.index > 0 || from_registers)) {
    return tr("to ") + shared_name(trace.grid_of(static_cast<std::uint32_t>(r.step)).shared, r.index, 0);
  }
  if (r.label.phase == Phase::load) return tr("loaded");
  const TreeRow* before = row > first_row ? &tree_.rows[row - 1] : nullptr;
  const bool goes_on = before && !number_text(trace, r.label).empty() && !before->output &&
                       before->label.phase == r.label.phase && before->place != TreeRow::Place::loaded;
  return goes_on ? number_text(trace, r.label) : step_text(trace, r.label);
}

}  // namespace upsweep
