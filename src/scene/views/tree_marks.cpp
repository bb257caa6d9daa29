#include "scene/views/tree_marks.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "scene/views/hazard_marks.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// Returns the index of the last row that has values of the marked buffer or region, up to the mark's step.
// Returns -1 if no such row exists.
int row_of_mark(const Tree& tree, const MarkedPlace& m) {
  int found = -1;
  for (int row = 0;
       row < static_cast<int>(tree.rows.size()) && tree.rows[static_cast<std::size_t>(row)].step <= m.step;
       ++row) {
    const TreeRow& r = tree.rows[static_cast<std::size_t>(row)];
    if (r.index != m.buffer) continue;
    if (m.shared ? r.place == TreeRow::Place::shared
                 : r.place == TreeRow::Place::global || r.place == TreeRow::Place::loaded)
      found = row;
  }
  return found;
}

// Returns the column of a marked place in a row, or -1 if the row does not contain the place.
int column_of_mark(const Trace& trace, const TreeRow& row, const MarkedPlace& m) {
  if (!m.shared) {
    if (m.cell < 0 || m.cell > INT32_MAX) return -1;
    const int column = row.column_of(static_cast<int>(m.cell));
    return column >= 0 && row.index_of(column) == m.cell ? column : -1;
  }
  const SharedShape& shape = trace.grids[static_cast<std::size_t>(m.grid)].shared;
  if (m.buffer > 0) return m.cell < 0 || m.cell > INT32_MAX ? -1 : static_cast<int>(m.cell);
  if (m.cell < 0 || m.cell >= std::int64_t{shape.buffers} * shape.cells_per_buffer) return -1;
  const auto cell = static_cast<std::uint32_t>(m.cell % shape.cells_per_buffer);
  const auto found = std::find(shape.cell.begin(), shape.cell.end(), cell);
  return found == shape.cell.end() ? -1 : static_cast<int>(found - shape.cell.begin());
}

}  // namespace

ExpectedRow::ExpectedRow(const ViewInput& in, const Tree& tree) : in_(in), tree_(tree) {
  const Recording& r = in.recording;
  if (!r.wrong || r.wrong->elements.empty() || tree.columns == 0) return;
  const int output = r.trace.roles().first_output();
  for (std::size_t row = 0; row < tree.rows.size(); ++row)
    if (tree.rows[row].place == TreeRow::Place::global && tree.rows[row].index == output)
      output_row_ = static_cast<int>(row);
  const bool alone = r.trace.grids.size() == 1 && r.trace.grids[0].blocks == 1;
  if (output_row_ < 0 && !alone) return;
  const auto& elements = r.wrong->elements;
  const TreeRow* row = output_row_ < 0 ? nullptr : &tree.rows[static_cast<std::size_t>(output_row_)];
  const int first = row ? row->index_of(0) : 0,
            last = row ? row->index_of(tree.columns - 1) : tree.columns - 1;
  const auto begin = std::ranges::partition_point(
      elements, [&](const auto& e) { return static_cast<std::int64_t>(e.index) < first; });
  for (auto e = begin; e != elements.end() && static_cast<std::int64_t>(e->index) <= last; ++e) {
    const int index = static_cast<int>(e->index), column = row ? row->column_of(index) : index;
    if (column < 0 || column >= tree.columns || (row && row->index_of(column) != index)) continue;
    wrong_.push_back({column, static_cast<std::size_t>(e - elements.begin())});
  }
}

float ExpectedRow::height(float picture) const { return wrong_.empty() || picture < 150 ? 0.0f : 26.0f; }

void ExpectedRow::draw(Painter& p, const TreeLayout& at) const {
  const float high = height(p.height);
  if (high == 0) return;
  const Theme& t = p.theme;
  const Recording& r = in_.recording;
  const int stored = output_row_ < 0 ? static_cast<int>(r.trace.steps.size()) - 1
                                     : tree_.rows[static_cast<std::size_t>(output_row_)].step;
  const bool known = in_.cursor.step >= stored;
  const float y = p.height - 8 - high / 2;
  const std::vector<HazardEntry> entries = hazard_entries(r, in_.cursor);
  p.text({p.margin + 12, y}, tr("expected"), known ? t.conflict : t.ghost_text, at.label_size,
         known ? Face::bold : Face::regular);
  if (!known) return;
  hazard_mark(p, t, {p.margin + 4, y}, 11);
  draw_values(p, at, y);
  if (!entries.empty() && !entries[0].finding)
    p.target({p.margin - 4, y - high / 2, p.width - 2 * p.margin + 8, high}, entries[0].id());
  if (output_row_ < 0 || !at.shown(output_row_)) return;
  // Draws no rings if the values are close together, because the rings would cover the values.
  if (const RowLook& look = at.look(output_row_); look.text == 0 || look.every > 1 || look.stagger) return;
  const TreeRow& row = tree_.rows[static_cast<std::size_t>(output_row_)];
  for (const Wrong& w : wrong_) {
    const int node = at.visible(w.column) ? node_in(row, w.column) : -1;
    if (node < 0) continue;
    const auto [width, height] = at.ring_size(output_row_, row.nodes[static_cast<std::size_t>(node)]);
    p.rect({at.x(w.column) - width / 2, at.y(output_row_) - height / 2, width, height},
           {.stroke = t.conflict, .width = 1.6f, .radius = std::min(6.0f, width / 3)});
  }
}

// Draws the expected values in the largest text size at which all values fit. If no size fits, draws a stroke
// for each value.
void ExpectedRow::draw_values(Painter& p, const TreeLayout& at, float y) const {
  const Trace& trace = in_.recording.trace;
  const Cells cells = trace.buffers[static_cast<std::size_t>(trace.roles().first_output())].cells;
  const auto text = [&](const Wrong& w, int room) {
    return short_text(in_.recording.wrong->elements[w.element].expected, trace.settings, cells, room);
  };
  int apart = tree_.columns;
  for (std::size_t k = 1; k < wrong_.size(); ++k)
    apart = std::min(apart, wrong_[k].column - wrong_[k - 1].column);
  const float room = std::min(96.0f, static_cast<float>(apart) * at.column) - 3;
  constexpr std::size_t most = 512;  // the largest number of values in a row
  float size = wrong_.size() <= most ? 14.0f : 0.0f;
  const auto fits = [&] {
    const int characters = std::clamp(static_cast<int>(room / (size * advance('0', Face::bold))), 5, 9);
    return std::ranges::all_of(wrong_, [&](const Wrong& w) {
      return !at.visible(w.column) || text_width(text(w, characters), size, Face::bold) <= room;
    });
  };
  while (size >= 9 && !fits()) size -= 1;
  // If not all values fit, an expected value is shown only if the output's row shows the value of the same
  // element.
  const TreeRow* row = output_row_ >= 0 && at.shown(output_row_) && at.look(output_row_).every > 1
                           ? &tree_.rows[static_cast<std::size_t>(output_row_)]
                           : nullptr;
  float drawn_to = -1;
  for (const Wrong& w : wrong_) {
    if (!at.visible(w.column)) continue;
    const float x = at.x(w.column);
    if (row && size < 9) {
      const int node = node_in(*row, w.column);
      const float several = static_cast<float>(at.look(output_row_).every) * at.column - 3;
      const std::string value = text(w, 5);
      if (node >= 0 && at.has_value(output_row_, static_cast<std::size_t>(node)) &&
          text_width(value, 9, Face::bold) <= several)
        p.text({x, y - 3}, value, p.theme.conflict, 9, Face::bold, Align::centre);
    }
    if (size >= 9) {
      const int characters = std::clamp(static_cast<int>(room / (size * advance('0', Face::bold))), 5, 9);
      p.text({x, y}, text(w, characters), p.theme.conflict, size, Face::bold, Align::centre);
      continue;
    }
    const float width = std::max(1.0f, std::min(4.0f, at.column * 0.7f));
    if (x - width / 2 < drawn_to) continue;
    p.rect(row ? Box{x - width / 2, y + 6, width, 3} : Box{x - width / 2, y - 4, width, 8}, p.theme.conflict);
    drawn_to = x + width / 2;
  }
}

void draw_tree_marks(Painter& p, const ViewInput& in, const Tree& tree, const TreeLayout& at) {
  const Trace& trace = in.recording.trace;
  const int grid = grid_index(trace, in.cursor.step);
  std::vector<Point> drawn;
  for (const MarkedPlace& m : marked_places(in.recording, in.cursor)) {
    if (m.grid != grid || m.block != in.cursor.block) continue;
    const int row = row_of_mark(tree, m);
    if (row < 0 || !at.shown(row)) continue;
    const TreeRow& r = tree.rows[static_cast<std::size_t>(row)];
    const int column = column_of_mark(trace, r, m);
    if (column < 0 || column >= tree.columns || !at.visible(column)) continue;
    Point middle{at.x(column), at.y(row)};
    if (const int node = node_in(r, column); node >= 0) {
      const auto [width, height] = at.ring_size(row, r.nodes[static_cast<std::size_t>(node)]);
      p.rect({middle.x - width / 2, middle.y - height / 2, width, height},
             {.stroke = p.theme.conflict, .width = 1.8f, .radius = std::min(6.0f, width / 3)});
      middle.x += width / 2;
      middle.y -= height / 2;
    }
    const float size = std::clamp(at.pitch * 0.3f, 9.0f, 14.0f);
    const bool covered = std::ranges::any_of(drawn, [&](Point o) {
      return std::abs(o.x - middle.x) < size * 0.8f && std::abs(o.y - middle.y) < size * 0.8f;
    });
    if (covered) continue;
    drawn.push_back(middle);
    hazard_mark(p, p.theme, middle, size);
    p.target({middle.x - size * 0.7f, middle.y - size * 0.7f, size * 1.4f, size * 1.4f}, m.id);
  }
}

}  // namespace upsweep
