#include "analysis/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "trace/value.hpp"

namespace upsweep {
namespace {

template <class Before>
std::size_t first_event(const Trace& trace, Before before) {
  return std::partition_point(trace.events.begin(), trace.events.end(), before) - trace.events.begin();
}

std::size_t cells_of(const SharedShape& shape) {
  return static_cast<std::size_t>(shape.buffers) * shape.cells_per_buffer;
}

// The element in one cell of a snapshot; zero beyond its end.
Value snapshot_value(const Snapshot& snapshot, std::size_t cell, std::size_t bytes) {
  Value value{};
  if ((cell + 1) * bytes <= snapshot.bytes.size())
    std::memcpy(value.data(), snapshot.bytes.data() + cell * bytes, bytes);
  return value;
}

// The last snapshot of a block that was taken at the beginning of a step no later than `step`, or null.
const Snapshot* last_snapshot(const Trace& trace, int block, std::uint32_t step) {
  const Snapshot* last = nullptr;
  for (const Snapshot& s : trace.snapshots)
    if (s.block == static_cast<std::uint32_t>(block) && s.step <= step && (!last || s.step >= last->step))
      last = &s;
  return last;
}

// Replays one block step by step against what was loaded and photographed.
class Replay {
 public:
  Replay(const Trace& trace, int block)
      : trace_(trace), block_(block), bytes_(trace.element_bytes()), cells_(cells_of(trace.grids.front().shared)) {}

  std::optional<std::string> contradiction() {
    for (std::uint32_t step = 0; step < trace_.steps.size(); ++step) {
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
    int storing_warp = nobody;  // of the current step
  };

  std::optional<std::string> at_beginning(std::uint32_t step) const {
    for (const Snapshot& s : trace_.snapshots) {
      if (s.block != static_cast<std::uint32_t>(block_) || s.step != step) continue;
      for (std::size_t c = 0; c < cells_.size(); ++c)
        if (const Value seen = snapshot_value(s, c, bytes_); cells_[c].known && seen != cells_[c].value)
          return contradiction(
              fmt::format("Block {}: the snapshot at the beginning of step {} holds", block_, step), seen, c);
    }
    return std::nullopt;
  }

  std::optional<std::string> within(std::uint32_t step) {
    const EventRange range = step_events(trace_, block_, static_cast<int>(step));
    for (Replayed& cell : cells_) cell.storing_warp = nobody;
    each_access(range, Kind::shared_store, [&](const Event& e, int, std::uint32_t, Replayed& cell) {
      cell.storing_warp = cell.storing_warp == nobody || cell.storing_warp == e.warp ? e.warp : several;
    });

    // Where no other warp stores in this step, the canonical order is the order in which this warp saw
    // things.
    std::optional<std::string> found;
    for (std::size_t i = range.first; i < range.last && !found; ++i) {
      const EventRange one{i, i + 1};
      each_access(one, Kind::shared_store, [&](const Event&, int, std::uint32_t entry, Replayed& cell) {
        cell.value = trace_.values[entry];
        cell.known = true;
      });
      each_access(one, Kind::shared_load, [&](const Event& e, int lane, std::uint32_t entry, Replayed& cell) {
        const bool contested = cell.storing_warp != nobody && cell.storing_warp != e.warp;
        if (found || !cell.known || contested || cell.value == trace_.values[entry]) return;
        found = contradiction(fmt::format("Block {}, step {}, line {}, warp {}, lane {}: the load gave",
                                          block_, step, e.line, e.warp, lane),
                              trace_.values[entry], &cell - cells_.data());
      });
    }
    return found;
  }

  // Calls f(event, lane, entry, cell) for every access of one kind that lies in shared memory.
  template <class F>
  void each_access(EventRange range, Kind kind, F f) {
    for (std::size_t i = range.first; i < range.last; ++i) {
      const Event& e = trace_.events[i];
      if (e.kind != kind) continue;
      for_each_lane(e, [&](int lane, std::uint32_t entry) {
        const std::size_t cell = trace_.lanes[entry].address / bytes_;
        if (cell < cells_.size()) f(e, lane, entry, cells_[cell]);
      });
    }
  }

  std::string contradiction(const std::string& what, const Value& seen, std::size_t cell) const {
    return fmt::format("{} {} at byte address {}, but the stores before it leave {} there.", what,
                       exact_text(seen, trace_.settings), cell * bytes_,
                       exact_text(cells_[cell].value, trace_.settings));
  }

  const Trace& trace_;
  int block_;
  std::size_t bytes_;
  std::vector<Replayed> cells_;
};

}  // namespace

std::vector<CellPlace> cell_places(const SharedShape& shape) {
  std::vector<CellPlace> places(cells_of(shape));
  for (int buffer = 0; buffer < shape.buffers; ++buffer)
    for (int element = 0; element < shape.elements; ++element)
      if (const std::size_t cell = std::size_t(buffer) * shape.cells_per_buffer + shape.cell[element];
          cell < places.size())
        places[cell] = {element, buffer};
  return places;
}

EventRange block_events(const Trace& trace, int block) {
  const auto b = static_cast<std::uint32_t>(block);
  return {first_event(trace, [&](const Event& e) { return e.block < b; }),
          first_event(trace, [&](const Event& e) { return e.block <= b; })};
}

EventRange step_events(const Trace& trace, int block, int step) {
  const auto b = static_cast<std::uint32_t>(block);
  const auto s = static_cast<std::uint32_t>(step);
  return {first_event(trace, [&](const Event& e) { return e.block < b || (e.block == b && e.step < s); }),
          first_event(trace, [&](const Event& e) { return e.block < b || (e.block == b && e.step <= s); })};
}

std::vector<Cell> memory_at(const Trace& trace, int block, std::size_t event_count) {
  const std::size_t bytes = trace.element_bytes();
  std::vector<Cell> cells;
  for (const CellPlace& place : cell_places(trace.grids.front().shared)) {
    Cell cell;
    cell.element = place.element;
    cell.buffer = place.buffer;
    cells.push_back(cell);
  }

  const EventRange all = block_events(trace, block);
  const std::size_t end = std::clamp(event_count, all.first, all.last);
  const Snapshot* snapshot = last_snapshot(trace, block, end > all.first ? trace.events[end - 1].step : 0);
  const auto take_snapshot = [&] {
    for (std::size_t c = 0; c < cells.size(); ++c) cells[c].value = snapshot_value(*snapshot, c, bytes);
    snapshot = nullptr;
  };

  // Who wrote a cell is known from the stores since the beginning; its value from the snapshot and those
  // since.
  for (std::size_t i = all.first; i < end; ++i) {
    const Event& e = trace.events[i];
    if (snapshot && e.step >= snapshot->step) take_snapshot();
    if (e.kind != Kind::shared_store) continue;
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      const std::size_t c = trace.lanes[entry].address / bytes;
      if (c >= cells.size()) return;
      cells[c].value = trace.values[entry];
      cells[c].known = true;
      cells[c].writer = static_cast<std::uint32_t>(i + 1);
      cells[c].writer_thread = 32 * e.warp + lane;
    });
  }
  if (snapshot) take_snapshot();
  return cells;
}

std::optional<std::string> incoherence(const Trace& trace) {
  for (int block = 0; block < trace.grids.front().blocks; ++block)
    if (auto found = Replay(trace, block).contradiction()) return found;
  return std::nullopt;
}

}  // namespace upsweep
