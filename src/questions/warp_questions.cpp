// Makes questions about warps: which lanes are active, which warps diverge or wait, and which line a warp
// executes next.
#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "analysis/block_index.hpp"
#include "analysis/lanes.hpp"
#include "questions/kinds.hpp"

namespace upsweep {
namespace {

int warps_of(const Asking& a, int step) {
  return a.trace().grid_of(static_cast<std::uint32_t>(step)).warps();
}

// --- active

// Returns the lines that a warp of the block executes exactly once in the step.
std::vector<About> lines_of_warps(const Asking& a, int step, int block) {
  std::vector<About> all;
  if (step < 0) return all;
  std::map<std::pair<int, int>, int> times;  // for each warp and line: how often the warp executes the line
  const EventRange range = step_events(a.trace(), block, step);
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = a.trace().events[i];
    if (has_lanes(e.kind)) ++times[{e.warp, e.line}];
  }
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = a.trace().events[i];
    if (!has_lanes(e.kind) || times[{e.warp, e.line}] != 1) continue;
    if (a.order.warp && *a.order.warp != e.warp) continue;
    if (a.order.line && *a.order.line != e.line) continue;
    all.push_back({.block = block, .warp = e.warp, .event = static_cast<int>(i), .line = e.line});
  }
  return all;
}

std::optional<Question> active(const Asking& a, int step, const About& about) {
  const Event& e = a.event(about.event);
  Question q = begin_question(QuestionKind::active, step, about, AnswerForm::places);
  q.place_of = PlaceOf::lanes;
  q.places = lanes_of(present_lanes(a.trace().grids[e.grid], e.warp));
  q.answer.numbers = lanes_of(e.mask);
  misread(q, {q.places}, 9);
  return q;
}

// --- diverged

std::vector<About> blocks_of_warps(const Asking& a, int step, int block) {
  if (step < 0 || warps_of(a, step) < 2) return {};
  const EventRange range = step_events(a.trace(), block, step);
  const bool works = std::any_of(a.trace().events.begin() + static_cast<std::ptrdiff_t>(range.first),
                                 a.trace().events.begin() + static_cast<std::ptrdiff_t>(range.last),
                                 [](const Event& e) { return is_work(e.kind); });
  return works ? std::vector<About>{{.block = block}} : std::vector<About>{};
}

std::optional<Question> diverged(const Asking& a, int step, const About& about) {
  const int grid = grid_index(a.trace(), step);
  const std::vector<WarpLanes> warps = a.recording().block(grid, about.block).warp_lanes(a.trace(), step);
  Question q = begin_question(QuestionKind::diverged, step, about, AnswerForm::places);
  q.place_of = PlaceOf::warps;
  q.places = numbers_between(0, std::ssize(warps) - 1);
  std::vector<std::int64_t> not_full;
  for (std::size_t w = 0; w < warps.size(); ++w) {
    const auto number = static_cast<std::int64_t>(w);
    if (warps[w].diverged) q.answer.numbers.push_back(number);
    if (std::ranges::count(warps[w].lanes, LaneState::working) < 32) not_full.push_back(number);
  }
  misread(q, {}, 9);
  misread(q, {not_full}, 8);
  return q;
}

// --- waiting

std::optional<Question> waiting(const Asking& a, int step, const About& about) {
  std::set<std::int64_t> arrive, work;
  int line = 0, lines = 0;
  const EventRange range = step_events(a.trace(), about.block, step);
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = a.trace().events[i];
    if (is_work(e.kind)) work.insert(e.warp);
    if (e.kind != Kind::barrier) continue;
    arrive.insert(e.warp);
    if (e.line != line) ++lines;
    line = e.line;
  }
  if (arrive.empty() || lines != 1) return {};
  if (a.order.line && *a.order.line != line) return {};
  Question q = begin_question(QuestionKind::waiting, step, about, AnswerForm::places);
  q.about.line = line;
  q.place_of = PlaceOf::warps;
  q.places = numbers_between(0, warps_of(a, step) - 1);
  std::ranges::set_difference(arrive, work, std::back_inserter(q.answer.numbers));
  misread(q, {}, 12);
  return q;
}

// --- next_line

// Returns a warp's events, as indices into Trace::events.
std::vector<std::size_t> events_of_warp(const Asking& a, int grid, int block, int warp) {
  std::vector<std::size_t> all;
  const EventRange range = block_events(a.trace(), grid, block);
  for (std::size_t i = range.first; i < range.last; ++i)
    if (a.trace().events[i].warp == warp) all.push_back(i);
  return all;
}

std::vector<About> warps_that_go_on(const Asking& a, int step, int block) {
  std::vector<About> all;
  if (step <= 0) return all;
  std::set<int> here;
  const EventRange range = step_events(a.trace(), block, step);
  for (std::size_t i = range.first; i < range.last; ++i) here.insert(a.trace().events[i].warp);
  for (const int warp : here)
    if (!a.order.warp || *a.order.warp == warp) all.push_back({.block = block, .warp = warp});
  return all;
}

// Returns the lines that have events in the run.
std::vector<std::int64_t> lines_of_run(const Trace& trace) {
  std::set<std::int64_t> lines;
  for (const Event& e : trace.events) lines.insert(e.line);
  lines.erase(0);
  return {lines.begin(), lines.end()};
}

std::optional<Question> next_line(const Asking& a, int step, const About& about) {
  const int grid = grid_index(a.trace(), step);
  const std::vector<std::size_t> all = events_of_warp(a, grid, about.block, about.warp);
  const auto event = [&](std::size_t i) -> const Event& { return a.trace().events[all[i]]; };
  std::size_t next = 0;
  while (next < all.size() && event(next).step < static_cast<std::uint32_t>(step)) ++next;
  if (next == 0 || next == all.size() || event(next).step != static_cast<std::uint32_t>(step)) return {};
  const Event &before = event(next - 1), &then = event(next);
  if (before.line == 0 || then.line == 0 || before.line == then.line) return {};
  Question q = begin_question(QuestionKind::next_line, step, about, AnswerForm::places);
  q.about.line = before.line;
  q.place_of = PlaceOf::lines;
  q.places = lines_of_run(a.trace());
  q.answer.numbers = {then.line};
  // A learner who believes that no barrier is needed expects the line after the barrier.
  if ((then.kind == Kind::barrier || then.kind == Kind::warp_barrier) && next + 1 < all.size())
    misread(q, {{event(next + 1).line}}, then.kind == Kind::barrier ? 10 : 11);
  return q;
}

constexpr QuestionMaker kinds_of_warps[] = {{QuestionKind::active, lines_of_warps, active},
                                            {QuestionKind::diverged, blocks_of_warps, diverged},
                                            {QuestionKind::waiting, blocks_of_warps, waiting},
                                            {QuestionKind::next_line, warps_that_go_on, next_line}};

}  // namespace

std::span<const QuestionMaker> warp_questions() { return kinds_of_warps; }

}  // namespace upsweep
