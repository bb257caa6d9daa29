// Writes the recordings of a run's launches into the run's trace.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "machine/emulator/emulated_launches.hpp"

namespace upsweep {
namespace {

// Replaces the time of each event by the event's rank in the order of time, so that no two events have equal
// times.
void number_in_time(Trace& trace, const StillWanted& wanted) {
  // A radix sort by time, from the lowest digit to the highest digit. The time of the sort is proportional to
  // the number of events.
  constexpr int digits = 3, bits = 11;
  std::vector<std::uint32_t> order(trace.events.size()), next(order.size()), times(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  for (int digit = 0; digit < digits; ++digit) {
    if (!wanted.is()) throw Unwanted();
    const auto key = [&](std::uint32_t i) {
      return trace.events[i].time >> digit * bits & ((1u << bits) - 1);
    };
    std::array<std::uint32_t, (1u << bits) + 1> first{};
    for (const std::uint32_t i : order) ++first[key(i) + 1];
    for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
    for (const std::uint32_t i : order) next[first[key(i)]++] = i;
    order.swap(next);
  }
  for (std::uint32_t i = 0; i < order.size(); ++i) times[i] = std::exchange(trace.events[order[i]].time, i);
  for (BlockRun& run : trace.runs)
    for (std::uint64_t* time : {&run.begin, &run.end})
      *time = static_cast<std::uint64_t>(std::ranges::lower_bound(times, *time) - times.begin());
}

}  // namespace

void Launches::fill_in(Trace& trace) {
  trace.grids.clear();
  constexpr std::size_t most_grids = UINT16_MAX;  // the largest number that Event::grid can hold
  for (std::size_t g = 0; g < std::min(launches_.size(), most_grids); ++g) {
    Launch& launch = *launches_[g];
    if (launch.steps.size() <= launch.last_step)
      launch.steps.resize(launch.last_step + 1, launch.steps.empty() ? Step{} : launch.steps.back());
    Grid grid = launch.grid;
    grid.first_step = static_cast<std::uint32_t>(trace.steps.size());
    grid.steps = static_cast<std::uint32_t>(launch.steps.size());
    if (launch.parent != nullptr) grid.parent = launch.parent->number;
    trace.steps.insert(trace.steps.end(), launch.steps.begin(), launch.steps.end());
    trace.operating.insert(trace.operating.end(), launch.operating.begin(), launch.operating.end());
    trace.operating.resize(trace.steps.size());
    std::vector<Count> counts = launch.counts.sorted();
    for (Count& c : counts) c.step += grid.first_step;
    if (trace.counts.empty()) trace.counts = std::move(counts);
    else trace.counts.insert(trace.counts.end(), counts.begin(), counts.end());
    trace.grids.push_back(std::move(grid));
  }
  std::ranges::stable_sort(runs_, {},
                           [](const Ran& r) { return std::pair(r.recording->launch->number, r.run.block); });

  std::size_t events = 0, lanes = 0;
  for (Ran& ran : runs_) {
    if (ran.run.in_focus && !focus_of(*ran.recording->launch).has(ran.run.block)) {
      ran.run.in_focus = false;
      take_out_of_focus(*ran.recording);
    }
    events += ran.recording->events.size();
    lanes += ran.recording->lanes.size();
  }
  for (Ran& ran : runs_) {
    if (!run_.wanted.is()) throw Unwanted();
    BlockRecording& from = *ran.recording;
    if (static_cast<std::size_t>(from.launch->number) >= most_grids) {
      trace.dropped += from.events.size();
      continue;
    }
    ran.run.grid = static_cast<std::uint16_t>(from.launch->number);
    trace.runs.push_back(ran.run);
    const Grid& grid = trace.grids[ran.run.grid];
    const auto first_event = static_cast<std::uint32_t>(trace.events.size());
    const auto first_lane = static_cast<std::uint32_t>(trace.lanes.size());
    if (&ran == &runs_.front()) {
      likely_events = from.events.size();
      likely_lanes = from.lanes.size();
      trace.events = std::move(from.events);
      trace.lanes = std::move(from.lanes);
      trace.values = std::move(from.values);
      trace.snapshots = std::move(from.snapshots);
      trace.events.reserve(events);
      trace.lanes.reserve(lanes);
      trace.values.reserve(lanes);
      continue;
    }
    for (Event& e : from.events) {
      e.grid = ran.run.grid;
      e.step += grid.first_step;
      e.first += first_lane;
    }
    for (Lane& lane : from.lanes)
      for (Origin* o : {&lane.left, &lane.right})
        if (*o != 0) *o += first_event;
    for (Snapshot& s : from.snapshots) s.step += grid.first_step;
    trace.events.insert(trace.events.end(), from.events.begin(), from.events.end());
    trace.lanes.insert(trace.lanes.end(), from.lanes.begin(), from.lanes.end());
    trace.values.insert(trace.values.end(), from.values.begin(), from.values.end());
    std::ranges::move(from.snapshots, std::back_inserter(trace.snapshots));
    from = {};
  }

  trace.dropped += run_.dropped;
  if (run_.several_turns) number_in_time(trace, run_.wanted);
  if (run_.children_started == 0) return;
  std::vector<int> grid_of_child(run_.children_started + std::size_t{1}, -1);
  for (std::size_t g = 0; g < trace.grids.size(); ++g)
    if (launches_[g]->parent != nullptr) grid_of_child[launches_[g]->index] = static_cast<int>(g);
  for (std::uint32_t e = 0; e < trace.events.size(); ++e) {
    if (trace.events[e].kind != Kind::launch) continue;
    for_each_lane(trace.events[e], [&](int, std::uint32_t entry) {
      std::int64_t& address = trace.lanes[entry].address;
      address = grid_of_child[static_cast<std::size_t>(address)];
      if (address >= 0) trace.grids[static_cast<std::size_t>(address)].parent_event = e;
    });
  }
}

}  // namespace upsweep
