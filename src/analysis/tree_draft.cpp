#include "analysis/tree_draft.hpp"

#include <algorithm>

namespace upsweep {

namespace {

bool shows_whole_run(const Trace& trace) {
  return trace.machine == MachineKind::opengl &&
         std::ranges::all_of(trace.grids, [](const Grid& g) { return g.blocks == 1; });
}

}  // namespace

TreeDraft::TreeDraft(const Trace& of, int grid_index, int block_index)
    : trace(of),
      grid(grid_index),
      block(block_index),
      whole_run(shows_whole_run(of)),
      range(whole_run ? EventRange{0, of.events.size()} : block_events(of, grid_index, block_index)),
      entries(lane_entries(of, range)),
      moves(std::any_of(of.buffers.begin(), of.buffers.end(),
                        [](const GlobalBuffer& b) { return b.columns > 0; })),
      loaded(entries.count),
      node_of(entries.count, none) {}

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
