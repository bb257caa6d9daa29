#include "scene/views/memory_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/block_index.hpp"
#include "analysis/step_index.hpp"
#include "base/language.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns true if the mouse is over the lane, the line or the request of this access.
bool points_at(const Id& hover, const Event& e, int event, int lane) {
  if (is_lane(hover)) return lane_of(hover, e.warp) == lane;
  if (const auto* line = as<LineId>(hover)) return line->line == e.line;
  const auto* request = as<RequestId>(hover);
  return request && request->by.event == event;
}

}  // namespace

std::vector<int> first_cells(std::span<const Cell> cells, int rows, int banks) {
  std::vector<int> first(static_cast<std::size_t>(rows) + 1, static_cast<int>(cells.size()));
  for (std::size_t c = cells.size(); c-- > 0;)
    first[cells[c].byte / (4 * static_cast<std::uint32_t>(banks))] = static_cast<int>(c);
  for (std::size_t r = first.size() - 1; r-- > 0;) first[r] = std::min(first[r], first[r + 1]);
  return first;
}

MemoryRows::MemoryRows(const ViewInput& in, int grid, const SharedRequest& request)
    : recording_(in.recording),
      grid_(grid),
      block_(in.cursor.block),
      banks_(static_cast<std::uint32_t>(request.banks.banks)) {
  const Trace& trace = in.recording.trace;
  const EventRange events = step_events(trace, in.cursor.block, in.cursor.step);
  first_event_ = events.first;
  cells_ = in.recording.block(grid, in.cursor.block).memory_at(trace, events.last);
  if (cells_.empty()) return;
  rows_ = row_of(static_cast<int>(cells_.size()) - 1) + 1;
  first_in_row_ = first_cells(cells_, rows_, request.banks.banks);
  find_touches(in, grid, request);
}

Cell MemoryRows::before(int cell) const {
  return recording_.block(grid_, block_)
      .cell_at(recording_.trace, static_cast<std::size_t>(cell), first_event_);
}
int MemoryRows::words_of(int cell) const { return std::max(1, at(cell).bytes / 4); }
int MemoryRows::bank_of_cell(int cell) const { return static_cast<int>(first_word(cell) % banks_); }
int MemoryRows::row_of(int cell) const { return static_cast<int>(first_word(cell) / banks_); }

void MemoryRows::find_touches(const ViewInput& in, int grid, const SharedRequest& request) {
  const Trace& trace = in.recording.trace;
  touches_.resize(cells_.size());
  const std::vector<CellPlace>& places = in.recording.block(grid, in.cursor.block).places();
  for (const int i : in.recording.step(in.cursor.block, in.cursor.step).touching_shared) {
    const Event& e = trace.events[static_cast<std::size_t>(i)];
    const bool chosen = i == request.event;
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      const int cell = cell_at(places, trace.lanes[entry].address);
      if (cell < 0) return;
      Touch& t = touches_[static_cast<std::size_t>(cell)];
      (is_load(e.kind) ? t.read : t.written) = true;
      t.event = i;
      t.lane = lane;
      t.lit = t.lit || points_at(in.cursor.hover, e, i, lane);
      if (!chosen) return;
      t.requested = true;
      t.lanes |= 1u << lane;
      t.conflict = request.words[bank_of_cell(cell)] > 1;
    });
  }
}

std::vector<int> MemoryRows::rows_that_matter(int most) const {
  std::vector<int> worth(rows_, 0);
  for (std::size_t c = 0; c < touches_.size(); c++) {
    const Touch& t = touches_[c];
    int& w = worth[row_of(static_cast<int>(c))];
    w = std::max(w, t.requested ? 3 : t.read || t.written ? 2 : 0);
  }
  for (int r = 0; r < rows_; r++)
    if (worth[r] == 0 && ((r > 0 && worth[r - 1] > 1) || (r + 1 < rows_ && worth[r + 1] > 1))) worth[r] = 1;
  std::vector<int> rows;
  for (int level = 3; level >= 0; level--)
    for (int r = 0; r < rows_ && static_cast<int>(rows.size()) < most; r++)
      if (worth[r] == level) rows.push_back(r);
  std::sort(rows.begin(), rows.end());
  return rows;
}

bool has_shared_memory(const Recording& r) {
  return std::any_of(r.trace.grids.begin(), r.trace.grids.end(),
                     [](const Grid& g) { return g.shared.bytes > 0; });
}

std::string why_no_shared_memory(const Recording& r, int step) {
  const bool nested = std::ranges::any_of(r.trace.grids, [](const Grid& g) { return g.parent >= 0; });
  const Grid& grid = r.trace.grid_of(static_cast<std::uint32_t>(std::max(step, 0)));
  if (nested ? has_shared_memory(r) : grid.shared.bytes > 0) return {};
  return r.trace.grids.size() > 1 ? tr("The kernel of this launch uses no shared memory.")
                                  : tr("This kernel uses no shared memory.");
}

std::string cell_readout(const Trace& trace, const SharedShape& shape, const MemoryRows& memory, int cell) {
  const Cell& c = memory.at(cell);
  const int bank = memory.bank_of_cell(cell), words = memory.words_of(cell);
  const std::string where = words == 1 ? tr("word {} · bank {}", memory.first_word(cell), bank)
                                       : tr("words {}–{} · banks {}–{}", memory.first_word(cell),
                                            memory.first_word(cell) + words - 1, bank, bank + words - 1);
  if (c.element < 0) return where + tr(" · padding");
  const std::string name = cell_name(shape, c);
  if (!c.known) return tr("{} · {} · never stored", where, name);
  std::string owner;
  if (c.writer_thread >= 0 && c.writer > 0) {
    const Event& e = trace.events[c.writer - 1];
    owner = tr(" · written by thread {} in {}", thread_text(trace.grids[e.grid], c.writer_thread),
               step_text(trace, trace.steps[e.step]));
  }
  return fmt::format("{} · {} = {}{}", where, name, exact_value(trace, c.value, c.cells), owner);
}

bool is_stored_in(const Recording& recording, const Cursor& cursor, const NodeId& node, const Cell& cell) {
  if (node.element < 0 || cell.element != node.element || !cell.known) return false;
  const Tree& tree = tree_at(recording, cursor);
  if (node.row < 0 || node.row >= static_cast<int>(tree.rows.size())) return cell.region == 0;
  const TreeRow& row = tree.rows[static_cast<std::size_t>(node.row)];
  return row.place == TreeRow::Place::shared ? row.index == cell.region : row.output && cell.region == 0;
}

}  // namespace upsweep
