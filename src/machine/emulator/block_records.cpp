// Merges the records of a block's warps into events. Keeps the records of a step until all earlier steps are
// merged.
#include <algorithm>
#include <utility>
#include <vector>

#include "machine/emulator/emulated_block.hpp"

namespace upsweep {

void Block::collect(std::size_t w, std::size_t most) {
  launch_->run->several_turns = true;
  const std::span<const Record> log = launch_->run->log;
  for (const Record& r : log.first(std::min(log.size(), most))) {
    if (is_store(r.access.what.kind()) && !r.access.what.volatile_access()) ++launch_->run->progress;
    kept_[w][r.access.lane].push_back(r);
    kept_lanes_[w] |= 1u << r.access.lane;
    last_step_ = std::max(last_step_, r.step);
  }
  launch_->run->log.clear();
}

bool Block::absorb(std::size_t w, std::uint32_t went) {
  Warp& warp = warps_[w];
  ThreadLog& log = launch_->run->log;
  if (log.size() == 0) went = 0;
  bool stored = false;
  for (const Record& r : std::span<const Record>(log))
    stored = stored || (is_store(r.access.what.kind()) && !r.access.what.volatile_access());
  const std::uint32_t unfinished = warp.live & ~warp.waiting;
  const bool complete =
      unfinished == 0 || (unfinished == warp.met && ((kept_lanes_[w] | went) & ~unfinished) == 0 &&
                          stand_together(w, unfinished));
  if (complete && kept_lanes_[w] == 0) {
    Lanes lanes(lanes_of(w), went, log);
    last_step_ = std::max(last_step_, lanes.steps().second);
    lanes.merge_all(*recording_);
    log.clear();
    return stored;
  }
  for (const Record& r : std::span<const Record>(log)) {
    kept_[w][r.access.lane].push_back(r);
    kept_lanes_[w] |= 1u << r.access.lane;
    last_step_ = std::max(last_step_, r.step);
  }
  log.clear();
  if (complete) merge_alone(w);
  return stored;
}

void Block::merge_alone(std::size_t w) {
  if (kept_lanes_[w] == 0) return;
  Lanes(lanes_of(w), kept_[w]).merge_all(*recording_);
  for (auto& records : kept_[w]) records.clear();
  kept_lanes_[w] = 0;
}

void Block::note_meetings(std::size_t w) {
  if (!launch_->run->recording) return;
  for (std::uint32_t rest = warps_[w].met; rest != 0; rest &= rest - 1) {
    const Thread& t = thread(w, rest);
    if (!t.meeting.is_collective()) continue;
    kept_[w][t.lane].push_back(
        {t.given, t.lane, 0, t.step, launch_->run->clock, t.node, {t.meeting_place, t.meeting, 0, t.lane}});
    kept_lanes_[w] |= 1u << t.lane;
    last_step_ = std::max(last_step_, t.step);
    first_kept_warp_ = std::min(first_kept_warp_, w);
  }
}

void Block::end_period() {
  std::vector<Lanes> lanes;
  for (std::size_t w = 0; w < used_warps_; ++w) {
    for_each_arrival(w, [&](std::uint32_t step) { last_step_ = std::max(last_step_, step); });
    lanes.emplace_back(lanes_of(w), kept_[w]);
  }
  for (std::uint32_t step = first_step_; step <= last_step_; ++step)
    for (Lanes& warp : lanes) warp.merge(step, *recording_);
  for (std::size_t w = 0; w < used_warps_; ++w)
    for (auto& records : kept_[w]) records.clear();
  launch_->last_step = std::max(launch_->last_step, last_step_);
}

void Block::merge_kept() {
  launch_->last_step = std::max(launch_->last_step, last_step_);
  if (!launch_->run->recording) return;
  if (counts_alone()) {
    for (std::size_t w = 0; w < used_warps_; ++w) {
      merge_alone(w);
      const Lanes lanes(lanes_of(w), kept_[w]);
      if (!warps_[w].apart)
        for_each_arrival(w, [&](std::uint32_t step) { lanes.emit_barriers(step, *recording_); });
      for (std::uint32_t step = first_step_; warps_[w].apart && step <= last_step_; ++step)
        lanes.emit_barriers(step, *recording_);
    }
    return;
  }
  if (last_step_ == first_step_ && first_kept_warp_ == used_warps_) return;
  std::vector<Lanes> lanes;
  for (std::size_t w = 0; w < used_warps_; ++w) lanes.emplace_back(lanes_of(w), kept_[w]);
  for (std::uint32_t step = first_step_; step <= last_step_; ++step)
    for (std::size_t w = step == first_step_ ? first_kept_warp_ : 0; w < used_warps_; ++w)
      lanes[w].merge(step, *recording_);
  for (std::size_t w = 0; w < used_warps_; ++w)
    for (auto& records : kept_[w]) records.clear();
}

// Sorts the block's events by step, then warp. Each origin contains the index of an event, and sorting
// changes these indices. So this function also changes the origins.
void Block::sort_by_step() {
  BlockRecording& r = *recording_;
  if (!comes_by_turns() || r.events.size() < 2) return;
  const auto key = [&](std::uint32_t i) { return std::pair(r.events[i].step, r.events[i].warp); };
  std::vector<std::uint32_t> order(r.events.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, key);
  std::vector<std::uint32_t> position(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  BlockRecording sorted{.launch = r.launch, .block = r.block, .in_focus = r.in_focus};
  sorted.snapshots = std::move(r.snapshots);
  sorted.events.reserve(r.events.size());
  sorted.lanes.reserve(r.lanes.size());
  sorted.values.reserve(r.values.size());
  for (const std::uint32_t from : order) {
    Event e = r.events[from];
    e.first = static_cast<std::uint32_t>(sorted.lanes.size());
    if (has_lanes(e.kind))
      for_each_lane(r.events[from], [&](int, std::uint32_t entry) {
        Lane lane = r.lanes[entry];
        for (Origin* o : {&lane.left, &lane.right})
          if (*o != 0) *o = origin_of(position[origin_event(*o)], origin_part(*o));
        sorted.lanes.push_back(lane);
        sorted.values.push_back(r.values[entry]);
      });
    sorted.events.push_back(e);
  }
  r = std::move(sorted);
}

}  // namespace upsweep
