// Removes from a trace everything that a learner must not see before a question.
#include <algorithm>
#include <bit>

#include "questions/ask.hpp"

namespace upsweep {
namespace {

void clear_values(std::vector<Value>& values) { std::ranges::fill(values, Value{}); }

}  // namespace

int first_shown_line(const Question& q, const Trace& trace) {
  constexpr int lines_above = 4;
  const int line = q.step < 0                             ? q.about.line
                   : q.step == 0 && !trace.events.empty() ? trace.events.front().line
                                                          : 0;
  return line > 0 ? std::max(1, line - lines_above) : 0;
}

Trace before_step(const Trace& whole, int first_hidden) {
  const auto first = static_cast<std::uint32_t>(std::max(first_hidden, 0));
  Trace t;
  t.settings = whole.settings;
  t.machine = whole.machine;
  t.device = whole.device;
  t.driver = whole.driver;
  t.nvrtc = whole.nvrtc;
  t.date = whole.date;
  t.program = whole.program;
  t.file = whole.file;
  t.text = whole.text;
  t.buffers = whole.buffers;
  t.grids = whole.grids;
  t.steps = whole.steps;
  t.input = whole.input;
  t.more_inputs = whole.more_inputs;
  t.output = whole.output;
  t.more_outputs = whole.more_outputs;
  clear_values(t.output);
  for (std::vector<Value>& output : t.more_outputs) clear_values(output);

  // Events keep their order. Lane::left and Lane::right refer to events by index. Removed events change the
  // indices, so these references are translated.
  std::vector<std::uint32_t> kept(whole.events.size() + 1, 0);  // 1 + the new index; 0 for a removed event
  for (std::size_t i = 0; i < whole.events.size(); ++i) {
    Event e = whole.events[i];
    if (e.step >= first) continue;
    const std::size_t entries =
        has_lanes(e.kind) ? static_cast<std::size_t>(std::popcount(e.mask)) * e.parts : 0;
    const std::size_t from = e.first;
    e.first = static_cast<std::uint32_t>(t.lanes.size());
    for (std::size_t k = from; k < from + entries; ++k) {
      t.lanes.push_back(whole.lanes[k]);
      t.values.push_back(whole.values[k]);
    }
    t.events.push_back(e);
    if (!whole.clock.empty()) t.clock.push_back(whole.clock[i]);
    kept[i] = static_cast<std::uint32_t>(t.events.size());
  }
  const auto mapped = [&](Origin o) -> Origin {
    if (o == 0) return 0;
    const std::uint32_t index = origin_event(o);
    const std::uint32_t now = index < whole.events.size() ? kept[index] : 0;
    return now == 0 ? 0 : origin_of(now - 1, origin_part(o));
  };
  for (Lane& lane : t.lanes) {
    lane.left = mapped(lane.left);
    lane.right = mapped(lane.right);
  }
  for (Grid& g : t.grids)
    if (g.parent_event != Grid::none)
      g.parent_event = g.parent_event < whole.events.size() && kept[g.parent_event] > 0
                           ? kept[g.parent_event] - 1
                           : Grid::none;
  for (const Snapshot& s : whole.snapshots)  // the learner may see the memory before the hidden step
    if (s.step <= first) t.snapshots.push_back(s);
  for (const Count& c : whole.counts)
    if (c.step < first) t.counts.push_back(c);
  // A block may begin or end after the last visible event. The learner must not see this time, so the time of
  // the last visible event replaces it.
  t.runs = whole.runs;
  std::uint64_t latest = 0;
  for (std::size_t i = 0; i < t.events.size(); ++i)
    latest = std::max<std::uint64_t>(latest, t.clock.empty() ? t.events[i].time : t.clock[i]);
  for (BlockRun& run : t.runs) {
    run.begin = std::min(run.begin, latest);
    run.end = std::min(run.end, latest);
  }
  t.operating = whole.operating;
  for (std::size_t k = first; k < t.operating.size(); ++k) t.operating[k] = 0;
  return t;
}

}  // namespace upsweep
