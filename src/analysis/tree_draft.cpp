#include "analysis/tree_draft.hpp"

#include <algorithm>

namespace upsweep {
namespace {

constexpr int output_buffer = 1;

// Loaded elements come first in a step, and the output last.
auto order(const RowKey& key) {
  using Place = TreeRow::Place;
  const int rank = key.place == Place::loaded      ? 0
                   : key.place == Place::registers ? 1
                   : key.place == Place::shared    ? 2
                                                   : 3;
  return std::tuple(key.step, rank, key.is_output(), key.index);
}

}  // namespace

bool RowKey::is_output() const { return place == TreeRow::Place::global && index == output_buffer; }
bool RowKey::operator<(const RowKey& other) const { return order(*this) < order(other); }

TreeDraft::TreeDraft(const Trace& of, int grid_index, int block_index)
    : trace(of),
      grid(grid_index),
      block(block_index),
      range(block_events(of, grid_index, block_index)),
      entries(lane_entries(of, range)),
      moves(std::any_of(of.buffers.begin(), of.buffers.end(),
                        [](const GlobalBuffer& b) { return b.columns > 0; })),
      loaded(entries.count),
      node_of(entries.count, none) {}

std::optional<Use> TreeDraft::origin(Origin o, int lane) const {
  if (o == 0) return {};
  const std::uint32_t event = origin_event(o);
  if (event < range.first || event >= range.last) return {};
  const Event& e = trace.events[event];
  const int part = origin_part(o);
  if (!has_lanes(e.kind) || (e.mask >> lane & 1) == 0) return {};
  if (is_atomic(e.kind)) return Use{event, lane, 0};
  return part < e.parts ? std::optional(Use{event, lane, part}) : std::nullopt;
}

int TreeDraft::lane_of_operands(const Event& e, int lane, std::uint32_t entry) const {
  const bool moved = e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) != Shuffle::reduce_add;
  return moved ? static_cast<int>(trace.lanes[entry].address & 31) : lane;
}

int TreeDraft::row(const RowKey& key) {
  const auto [at, fresh] = row_of_.try_emplace(key, static_cast<int>(rows.size()));
  if (fresh) rows.push_back(key);
  return at->second;
}

void TreeDraft::note_touched(int buffer, std::int64_t element) {
  const std::int64_t columns = trace.buffers[static_cast<std::size_t>(buffer)].columns;
  const std::int64_t row = columns > 0 ? element / columns : 0,
                     column = columns > 0 ? element % columns : element;
  TouchedElements& t = touched.try_emplace(buffer, TouchedElements{row, column, column}).first->second;
  t = {std::min(t.row, row), std::min(t.first, column), std::max(t.last, column)};
}

}  // namespace upsweep
