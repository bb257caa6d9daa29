#include "analysis/block_index.hpp"

#include <algorithm>
#include <cstring>

namespace upsweep {

BlockIndex::BlockIndex(const Trace& trace, int grid, int block)
    : grid_(grid),
      block_(block),
      events_(block_events(trace, grid, block)),
      places_(cell_places(trace.grids[static_cast<std::size_t>(grid)].shared, trace.element_bytes())),
      first_store_(places_.size() + 1),
      live_(live_lanes(trace, grid, block)) {
  // Counts the stores of each cell first. The counts say where each cell's stores begin in stores_.
  const auto for_each_store = [&](auto f) {
    for (std::size_t i = events_.first; i < events_.last; ++i) {
      const Event& e = trace.events[i];
      if (e.kind != Kind::shared_store && e.kind != Kind::shared_atomic) continue;
      for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
        if (const int c = upsweep::cell_at(places_, trace.lanes[at].address); c >= 0)
          f(static_cast<std::size_t>(c),
            Store{static_cast<std::uint32_t>(i), value, static_cast<std::uint16_t>(thread_of(e, lane))});
      });
    }
  };
  for_each_store([&](std::size_t c, const Store&) { ++first_store_[c + 1]; });
  for (std::size_t c = 0; c < places_.size(); ++c) first_store_[c + 1] += first_store_[c];
  stores_.resize(first_store_.back());
  std::vector<std::uint32_t> next(first_store_.begin(), first_store_.end() - 1);
  for_each_store([&](std::size_t c, const Store& store) { stores_[next[c]++] = store; });

  const Grid& g = trace.grids[static_cast<std::size_t>(grid)];
  const auto end = static_cast<std::uint32_t>(end_step(trace, grid));
  for (std::uint32_t i = 0; i < trace.snapshots.size(); ++i)
    if (const Snapshot& s = trace.snapshots[i];
        s.block == static_cast<std::uint32_t>(block) && s.step >= g.first_step && s.step < end)
      snapshots_.push_back(i);
  std::stable_sort(snapshots_.begin(), snapshots_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return trace.snapshots[a].step < trace.snapshots[b].step;
  });
}

std::size_t BlockIndex::end_of(std::size_t event_count) const {
  return std::clamp(event_count, events_.first, events_.last);
}

BlockIndex::LastSnapshot BlockIndex::last_snapshot(const Trace& trace, std::size_t end) const {
  const std::uint32_t step = end > events_.first ? trace.events[end - 1].step
                                                 : trace.grids[static_cast<std::size_t>(grid_)].first_step;
  const auto behind =
      std::upper_bound(snapshots_.begin(), snapshots_.end(), step,
                       [&](std::uint32_t s, std::uint32_t at) { return s < trace.snapshots[at].step; });
  if (behind == snapshots_.begin()) return {};
  const Snapshot* last = &trace.snapshots[*std::prev(behind)];
  return {last, step_events(trace, block_, static_cast<int>(last->step)).first};
}

Cell BlockIndex::cell(const Trace& trace, std::size_t index, std::size_t end,
                      const LastSnapshot& taken) const {
  Cell cell{places_[index]};
  const auto first = stores_.begin() + first_store_[index], last = stores_.begin() + first_store_[index + 1];
  const auto behind =
      std::lower_bound(first, last, end, [](const Store& s, std::size_t event) { return s.event < event; });
  const bool stored = behind != first;
  if (stored) {
    const Store& store = *std::prev(behind);
    cell.known = true;
    cell.writer = store.event + 1;
    cell.writer_thread = store.thread;
    cell.value = trace.values[store.value];
  }
  if (taken.snapshot && (!stored || std::prev(behind)->event < taken.first_event)) {
    cell.value = {};
    const auto bytes = static_cast<std::size_t>(cell.bytes);
    if (cell.byte + bytes <= taken.snapshot->bytes.size())
      std::memcpy(cell.value.data(), taken.snapshot->bytes.data() + cell.byte, bytes);
  }
  return cell;
}

std::vector<Cell> BlockIndex::memory_at(const Trace& trace, std::size_t event_count) const {
  const std::size_t end = end_of(event_count);
  const LastSnapshot taken = last_snapshot(trace, end);
  std::vector<Cell> cells;
  cells.reserve(places_.size());
  for (std::size_t c = 0; c < places_.size(); ++c) cells.push_back(cell(trace, c, end, taken));
  return cells;
}

Cell BlockIndex::cell_at(const Trace& trace, std::size_t index, std::size_t event_count) const {
  const std::size_t end = end_of(event_count);
  return cell(trace, index, end, last_snapshot(trace, end));
}

std::vector<WarpLanes> BlockIndex::warp_lanes(const Trace& trace, int step) const {
  return upsweep::warp_lanes(trace, block_, step, live_);
}

}  // namespace upsweep
