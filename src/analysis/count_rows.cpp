#include "analysis/count_rows.hpp"

#include <algorithm>
#include <unordered_map>

#include "analysis/block_index.hpp"
#include "analysis/memory.hpp"

namespace upsweep {
namespace {

bool has_one_for_each(const Trace& trace, int buffer) {
  const GlobalBuffer& b = trace.buffers[static_cast<std::size_t>(buffer)];
  return b.cells == Cells::counts && b.count == std::ssize(trace.input) &&
         trace.roles().of(buffer) == BufferRole::scratch;
}

// Returns the element to which a stored count belongs. This is the index at which the lane loaded the count.
// Returns -1 if the count was not loaded from a buffer with one count for each element.
std::int64_t element_of(const Trace& trace, const Lane& stored, int lane) {
  if (stored.left == 0 || origin_event(stored.left) >= trace.events.size()) return -1;
  const Event& e = trace.events[origin_event(stored.left)];
  if (e.kind != Kind::global_load || (e.mask >> lane & 1) == 0 || trace.cells_of(e) != Cells::counts ||
      !has_one_for_each(trace, e.buffer))
    return -1;
  return trace.lanes[entry_of(e, lane)].address / cell_bytes(e);
}

CountRow shared_row(const Recording& recording, int step) {
  const Trace& trace = recording.trace;
  const int grid = grid_index(trace, step);
  CountRow row;
  row.counts.resize(trace.input.size());
  for (const int block : focus_of(trace, grid)) {
    // For each address in shared memory: the element whose count is stored at this address.
    std::unordered_map<std::int64_t, std::int64_t> elements;
    const EventRange range{block_events(trace, grid, block).first, step_events(trace, block, step).last};
    for (std::size_t i = range.first; i < range.last; ++i) {
      const Event& e = trace.events[i];
      if (e.kind != Kind::shared_store || trace.cells_of(e) != Cells::counts) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        const Lane& l = trace.lanes[at];
        if (const std::int64_t element = element_of(trace, l, lane); element >= 0)
          elements[l.address] = element;
      });
    }
    if (elements.empty()) continue;
    const SharedShape& shape = trace.grids[static_cast<std::size_t>(grid)].shared;
    for (const Cell& c : recording.block(grid, block).memory_at(trace, range.last)) {
      const auto found = elements.find(c.byte);
      if (found == elements.end() || !c.known || found->second >= std::ssize(row.counts)) continue;
      row.counts[static_cast<std::size_t>(found->second)] = c.value[0];
      row.name = c.region == 0 ? shape.name : shape.more[static_cast<std::size_t>(c.region) - 1].name;
    }
  }
  return row;
}

}  // namespace

bool has_count_rows(const Trace& trace) {
  for (int b = 0; b < static_cast<int>(trace.buffers.size()); ++b)
    if (has_one_for_each(trace, b)) return true;
  return false;
}

std::vector<CountRow> count_rows(const Recording& recording, int step) {
  const Trace& trace = recording.trace;
  if (!has_count_rows(trace)) return {};
  const int grid = grid_index(trace, step);
  std::vector<CountRow> rows;
  bool stored = false;  // whether this launch has stored counts in a buffer
  for (int b = 0; b < static_cast<int>(trace.buffers.size()); ++b) {
    if (!has_one_for_each(trace, b)) continue;
    CountRow row{trace.buffers[static_cast<std::size_t>(b)].name, {}};
    bool any = false;
    for (const GlobalState::Cell& c : recording.global(b, step).cells) {
      row.counts.push_back(c.known ? std::optional(c.value[0]) : std::nullopt);
      any = any || c.known;
      stored = stored || (c.writer > 0 && static_cast<int>(trace.events[c.writer - 1].grid) == grid);
    }
    if (any) rows.push_back(std::move(row));
  }
  if (!stored)
    if (CountRow row = shared_row(recording, step); !row.name.empty()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace upsweep
