#include "analysis/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include "base/messages.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// Returns the index of the first event of this grid, block and step. If this step has no event, returns the
// index of the next event.
std::size_t first_at(const Trace& trace, int grid, std::int64_t block, std::int64_t step) {
  const auto before = [&](const Event& e) {
    return std::tuple<int, std::int64_t, std::int64_t>(e.grid, e.block, e.step) <
           std::tuple(grid, block, step);
  };
  return std::partition_point(trace.events.begin(), trace.events.end(), before) - trace.events.begin();
}

// Returns the value of one cell in a snapshot. Returns zero if the cell is beyond the snapshot's end.
Value snapshot_value(const Snapshot& snapshot, const CellPlace& cell) {
  Value value{};
  const auto bytes = static_cast<std::size_t>(cell.bytes);
  if (cell.byte + bytes <= snapshot.bytes.size())
    std::memcpy(value.data(), snapshot.bytes.data() + cell.byte, bytes);
  return value;
}

// Looks at the snapshots of a block that were taken in a grid, at the beginning of `step` or earlier. Returns
// the last of these snapshots, or null if there is no such snapshot.
const Snapshot* last_snapshot(const Trace& trace, const Grid& grid, int block, std::uint32_t step) {
  const Snapshot* last = nullptr;
  for (const Snapshot& s : trace.snapshots)
    if (s.block == static_cast<std::uint32_t>(block) && s.step >= grid.first_step && s.step <= step &&
        (!last || s.step >= last->step))
      last = &s;
  return last;
}

std::string cell_text(const CellPlace& cell, const Value& value, const Settings& s) {
  return exact_text(value, s, cell.cells);
}

// Returns the trace's snapshots, sorted by block and step.
std::vector<const Snapshot*> by_block(const Trace& trace) {
  std::vector<const Snapshot*> sorted;
  for (const Snapshot& s : trace.snapshots) sorted.push_back(&s);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Snapshot* a, const Snapshot* b) {
    return std::pair(a->block, a->step) < std::pair(b->block, b->step);
  });
  return sorted;
}

// Replays the stores of one block step by step. Compares the results with the recorded loads and snapshots.
class Replay {
 public:
  // `snapshots` must be the result of by_block().
  Replay(const Trace& trace, const std::vector<const Snapshot*>& snapshots, int grid, int block)
      : trace_(trace),
        snapshots_(snapshots),
        grid_(trace.grids[static_cast<std::size_t>(grid)]),
        end_(static_cast<std::uint32_t>(end_step(trace, grid))),
        block_(block),
        places_(cell_places(grid_.shared, trace.element_bytes())),
        cells_(places_.size()) {}

  std::optional<Message> contradiction() {
    for (std::uint32_t step = grid_.first_step; step < end_; ++step) {
      if (auto found = at_beginning(step)) return found;
      if (auto found = within(step)) return found;
    }
    return std::nullopt;
  }

 private:
  static constexpr int nobody = -1, several = -2;
  struct Replayed {
    Value value{};
    bool known = false;
    int storing_warp = nobody;  // the warp that stores in the current step; or `nobody`, or `several`
  };

  std::optional<Message> at_beginning(std::uint32_t step) const {
    const std::pair place(static_cast<std::uint32_t>(block_), step);
    auto at =
        std::lower_bound(snapshots_.begin(), snapshots_.end(), place,
                         [](const Snapshot* s, const auto& p) { return std::pair(s->block, s->step) < p; });
    for (; at != snapshots_.end() && std::pair((*at)->block, (*at)->step) == place; ++at) {
      const Snapshot& s = **at;
      for (std::size_t c = 0; c < cells_.size(); ++c)
        if (const Value seen = snapshot_value(s, places_[c]); cells_[c].known && seen != cells_[c].value)
          return say::incoherent_snapshot(block_, step, text(seen, c), places_[c].byte,
                                          text(cells_[c].value, c));
    }
    return std::nullopt;
  }

  std::optional<Message> within(std::uint32_t step) {
    const EventRange range = step_events(trace_, block_, static_cast<int>(step));
    for (Replayed& cell : cells_) cell.storing_warp = nobody;
    for (std::size_t i = range.first; i < range.last; ++i)
      each_access(i, [&](const Event& e, int, std::uint32_t, Replayed& cell) {
        if (e.kind == Kind::shared_load) return;
        cell.storing_warp = cell.storing_warp == nobody || cell.storing_warp == e.warp ? e.warp : several;
      });

    // A load must agree with the stores that come before the load in Trace::events. This is checked only if
    // no warp except the load's own warp stores to the cell in this step.
    std::optional<Message> found;
    for (std::size_t i = range.first; i < range.last && !found; ++i)
      each_access(i, [&](const Event& e, int lane, std::uint32_t entry, Replayed& cell) {
        if (e.kind != Kind::shared_load) {
          cell.value = trace_.values[entry];
          cell.known = true;
          return;
        }
        const bool contested = cell.storing_warp != nobody && cell.storing_warp != e.warp;
        if (found || !cell.known || contested || cell.value == trace_.values[entry]) return;
        const auto c = static_cast<std::size_t>(&cell - cells_.data());
        found = say::incoherent_load(block_, step, e.line, e.warp, lane, text(trace_.values[entry], c),
                                     places_[c].byte, text(cell.value, c));
      });
    return found;
  }

  // Calls f(event, lane, index of the value, cell) for every cell of shared memory that an event touches.
  template <class F>
  void each_access(std::size_t event, F f) {
    const Event& e = trace_.events[event];
    if (!is_shared(e.kind)) return;
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      if (const int cell = cell_at(places_, trace_.lanes[at].address); cell >= 0)
        f(e, lane, value, cells_[static_cast<std::size_t>(cell)]);
    });
  }

  std::string text(const Value& value, std::size_t cell) const {
    return cell_text(places_[cell], value, trace_.settings);
  }

  const Trace& trace_;
  const std::vector<const Snapshot*>& snapshots_;
  const Grid& grid_;
  std::uint32_t end_;
  int block_;
  std::vector<CellPlace> places_;
  std::vector<Replayed> cells_;
};

}  // namespace

EventRange block_events(const Trace& trace, int grid, int block) {
  return {first_at(trace, grid, block, 0), first_at(trace, grid, std::int64_t{block} + 1, 0)};
}

EventRange step_events(const Trace& trace, int block, int step) {
  const int grid = grid_index(trace, step);
  return {first_at(trace, grid, block, step), first_at(trace, grid, block, std::int64_t{step} + 1)};
}

EntryRange lane_entries(const Trace& trace, EventRange range) {
  if (range.empty()) return {};
  const std::uint32_t first = trace.events[range.first].first;
  const Event& last = trace.events[range.last - 1];
  const std::size_t in_last =
      has_lanes(last.kind) ? static_cast<std::size_t>(std::popcount(last.mask)) * last.parts : 0;
  return {first, last.first - first + in_last};
}

int grid_index(const Trace& trace, int step) {
  if (step < 0) return 0;
  return static_cast<int>(&trace.grid_of(static_cast<std::uint32_t>(step)) - trace.grids.data());
}

int end_step(const Trace& trace, int grid) {
  const auto next = static_cast<std::size_t>(grid) + 1;
  return static_cast<int>(next < trace.grids.size() ? trace.grids[next].first_step : trace.steps.size());
}

bool has_phase(const Trace& trace, int grid, const Phase& phase) {
  for (int s = static_cast<int>(trace.grids[static_cast<std::size_t>(grid)].first_step),
           end = end_step(trace, grid);
       s < end; ++s)
    if (trace.steps[static_cast<std::size_t>(s)].phase == phase) return true;
  return false;
}

bool in_focus(const Trace& trace, int grid, int block) {
  const auto at = std::lower_bound(trace.runs.begin(), trace.runs.end(), std::pair(grid, std::int64_t{block}),
                                   [](const BlockRun& run, const std::pair<int, std::int64_t>& place) {
                                     return std::pair<int, std::int64_t>(run.grid, run.block) < place;
                                   });
  const bool noted = at != trace.runs.end() && at->grid == grid && static_cast<int>(at->block) == block;
  return noted ? at->in_focus : true;
}

namespace {

// Compares the runs of blocks by their grid, for a binary search. The runs are sorted by grid.
struct OfGrid {
  bool operator()(const BlockRun& run, int grid) const { return run.grid < grid; }
  bool operator()(int grid, const BlockRun& run) const { return grid < run.grid; }
};

}  // namespace

std::vector<int> focus_of(const Trace& trace, int grid) {
  std::vector<int> blocks;
  if (grid < 0 || grid >= static_cast<int>(trace.grids.size())) return blocks;
  const auto [first, last] = std::equal_range(trace.runs.begin(), trace.runs.end(), grid, OfGrid());
  for (auto run = first; run != last; ++run)
    if (run->in_focus) blocks.push_back(static_cast<int>(run->block));
  if (first == last)
    for (int b = 0; b < trace.grids[static_cast<std::size_t>(grid)].blocks; ++b) blocks.push_back(b);
  return blocks;
}

namespace {

// Returns the index of the element in a cell of a region; -1 for padding.
int element_in(const SharedRegion& region, std::uint32_t cell) {
  if (region.pitch == 0) return static_cast<int>(cell);
  const std::uint32_t row = cell / region.pitch, column = cell % region.pitch;
  return column < region.columns ? static_cast<int>(row * region.columns + column) : -1;
}

}  // namespace

std::vector<CellPlace> cell_places(const SharedShape& shape, int element_bytes) {
  const auto width = static_cast<std::uint32_t>(cell_bytes(shape.cells, element_bytes));
  const auto cells = static_cast<std::uint32_t>(shape.buffers * shape.cells_per_buffer);
  std::vector<CellPlace> places(cells);
  for (std::uint32_t c = 0; c < cells; ++c) {
    places[c].byte = c * width;
    places[c].bytes = static_cast<int>(width);
    places[c].cells = shape.cells;
    places[c].buffer = static_cast<int>(c) / shape.cells_per_buffer;
  }
  for (int buffer = 0; buffer < shape.buffers; ++buffer)
    for (std::size_t element = 0; element < shape.cell.size(); ++element)
      if (const std::size_t cell = std::size_t(buffer) * shape.cells_per_buffer + shape.cell[element];
          cell < places.size())
        places[cell].element = static_cast<int>(element);
  int number = 0;
  for (const SharedRegion& region : shape.more) {
    ++number;
    const int bytes = cell_bytes(region.cells, element_bytes);
    for (std::uint32_t i = 0; i < region.count; ++i)
      places.push_back({number, element_in(region, i), 0,
                        region.first + i * static_cast<std::uint32_t>(bytes), bytes, region.cells});
  }
  std::stable_sort(places.begin() + cells, places.end(),
                   [](const CellPlace& a, const CellPlace& b) { return a.byte < b.byte; });
  return places;
}

int cell_at(const std::vector<CellPlace>& places, std::int64_t byte) {
  if (places.empty() || byte < 0) return -1;
  // Usually all cells have the same size, so the quotient is the index. Otherwise, a search finds the cell.
  if (const std::int64_t guess = byte / places.front().bytes;
      guess < static_cast<std::int64_t>(places.size()))
    if (const CellPlace& p = places[static_cast<std::size_t>(guess)];
        p.byte <= byte && byte < p.byte + static_cast<std::int64_t>(p.bytes))
      return static_cast<int>(guess);
  const auto behind =
      std::upper_bound(places.begin(), places.end(), byte,
                       [](std::int64_t b, const CellPlace& p) { return b < std::int64_t{p.byte}; });
  if (behind == places.begin()) return -1;
  const auto at = std::prev(behind);
  return byte < std::int64_t{at->byte} + at->bytes ? static_cast<int>(at - places.begin()) : -1;
}

std::vector<Cell> memory_at(const Trace& trace, int grid, int block, std::size_t event_count) {
  const Grid& g = trace.grids[static_cast<std::size_t>(grid)];
  const std::vector<CellPlace> places = cell_places(g.shared, trace.element_bytes());
  std::vector<Cell> cells(places.size());
  for (std::size_t c = 0; c < cells.size(); ++c) static_cast<CellPlace&>(cells[c]) = places[c];

  const EventRange all = block_events(trace, grid, block);
  const std::size_t end = std::clamp(event_count, all.first, all.last);
  const Snapshot* snapshot =
      last_snapshot(trace, g, block, end > all.first ? trace.events[end - 1].step : g.first_step);
  const auto take_snapshot = [&] {
    for (Cell& c : cells) c.value = snapshot_value(*snapshot, c);
    snapshot = nullptr;
  };

  // A cell's writer is found from all stores since the beginning. The cell's value is found from the last
  // snapshot and the stores after this snapshot.
  for (std::size_t i = all.first; i < end; ++i) {
    const Event& e = trace.events[i];
    if (snapshot && e.step >= snapshot->step) take_snapshot();
    if (e.kind != Kind::shared_store && e.kind != Kind::shared_atomic) continue;
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      const int c = cell_at(places, trace.lanes[at].address);
      if (c < 0) return;
      Cell& cell = cells[static_cast<std::size_t>(c)];
      cell.value = trace.values[value];
      cell.known = true;
      cell.writer = static_cast<std::uint32_t>(i + 1);
      cell.writer_thread = 32 * e.warp + lane;
    });
  }
  if (snapshot) take_snapshot();
  return cells;
}

std::optional<Message> incoherence(const Trace& trace) {
  const std::vector<const Snapshot*> snapshots = by_block(trace);
  for (std::size_t i = 0; i < trace.events.size();) {
    const int grid = trace.events[i].grid, block = static_cast<int>(trace.events[i].block);
    if (in_focus(trace, grid, block))
      if (auto found = Replay(trace, snapshots, grid, block).contradiction()) return found;
    i = block_events(trace, grid, block).last;
  }
  return std::nullopt;
}

}  // namespace upsweep
