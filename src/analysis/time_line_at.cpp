// Finds rows, times, steps and events in a time line.
#include <algorithm>
#include <iterator>

#include "analysis/memory.hpp"
#include "analysis/time_line.hpp"

namespace upsweep {

std::uint32_t row_of(const TimeLine& line, int grid, int block) {
  const auto first = std::ranges::lower_bound(line.rows, grid, {}, &TimeLine::Row::grid),
             last = std::ranges::upper_bound(line.rows, grid, {}, &TimeLine::Row::grid);
  const auto found = std::find_if(first, last, [&](const TimeLine::Row& r) { return r.block == block; });
  return found == last ? TimeLine::none : static_cast<std::uint32_t>(found - line.rows.begin());
}

std::uint64_t next_time(const TimeLine& line, std::uint64_t time, int direction) {
  const auto& all = line.moments;
  if (direction > 0) {
    const auto next = std::ranges::upper_bound(all, time, {}, &TimeLine::Moment::time);
    return next == all.end() ? time : next->time;
  }
  const auto here = std::ranges::lower_bound(all, time, {}, &TimeLine::Moment::time);
  return here == all.begin() ? time : std::prev(here)->time;
}

std::uint64_t time_of_step(const TimeLine& line, const Trace& trace, const Place& place) {
  const int grid = grid_index(trace, place.step);
  const std::uint32_t row = row_of(line, grid, place.block);
  const EventRange block = block_events(trace, grid, place.block);
  std::size_t last = step_events(trace, place.block, place.step).last;
  std::uint64_t time = row == TimeLine::none ? 0 : line.rows[row].begin;
  if (last <= block.first || last > block.last) return time;
  for (const std::uint32_t step = trace.events[last - 1].step;
       last > block.first && trace.events[last - 1].step == step; --last)
    time = std::max(time, line.time_of(trace, last - 1));
  return time;
}

int event_at(const TimeLine& line, const Trace& trace, int grid, int block, std::uint64_t time) {
  const EventRange range = block_events(trace, grid, block);
  int best = -1;
  for (std::size_t i = range.first; i < range.last; ++i)
    if (line.time_of(trace, i) <= time &&
        (best < 0 || trace.events[i].time >= trace.events[static_cast<std::size_t>(best)].time))
      best = static_cast<int>(i);
  return best;
}

int step_at(const TimeLine& line, const Trace& trace, int grid, int block, std::uint64_t time) {
  const int event = event_at(line, trace, grid, block, time);
  return event < 0 ? -1 : static_cast<int>(trace.events[static_cast<std::size_t>(event)].step);
}

BlockProgress progress_at(const TimeLine& line, std::uint64_t time) {
  const auto until = [&](const std::vector<std::uint64_t>& times) {
    return static_cast<int>(std::ranges::upper_bound(times, time) - times.begin());
  };
  BlockProgress p;
  p.all = static_cast<int>(line.rows.size());
  p.begun = until(line.begins);
  p.ended = until(line.ends);
  p.whole = until(line.wholes);
  p.part = until(line.parts) - p.whole;
  p.nothing = line.tellers - p.whole - p.part;
  return p;
}

}  // namespace upsweep
