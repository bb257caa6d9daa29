#include "analysis/program_order.hpp"

#include <algorithm>
#include <cstddef>

namespace upsweep {

ProgramOrder::Order ProgramOrder::compare(Access first, Access second) {
  const Event &a = trace_.events[first.event], &b = trace_.events[second.event];
  const int loop = text_.loop_around(a.line, b.line);
  if (a.step == b.step) {
    const int rounds =
        loop == KernelText::none ? 0 : rounds_in_step(second, loop) - rounds_in_step(first, loop);
    if (rounds == 0) return {.first_is_earlier = a.line <= b.line};
    const bool next = rounds == 1 || rounds == -1;
    return {.first_is_earlier = rounds > 0, .order = next ? TextOrder::next_round : TextOrder::later_round};
  }
  const bool first_is_earlier = a.step < b.step;
  const Event &from = first_is_earlier ? a : b, &to = first_is_earlier ? b : a;
  const int from_loop = loop_apart(from.line, to.line), to_loop = loop_apart(to.line, from.line);
  int rounds = 0;
  bool from_repeats = false, to_repeats = false;
  const std::vector<int>& begin = begins(a);
  const std::uint32_t first_step = trace_.grids[a.grid].first_step;
  int line = from.line;
  for (std::uint32_t s = from.step - first_step + 1; s <= to.step - first_step + 1; ++s) {
    const bool last = s == to.step - first_step + 1;
    const int next = last ? to.line : s < begin.size() ? begin[s] : 0;
    if (next == 0) continue;
    if (const int begun = round_begun(line, next, !last); begun != KernelText::none) {
      rounds += loop != KernelText::none && text_.within(loop, begun);
      from_repeats = from_repeats || begun == from_loop;
      to_repeats = to_repeats || begun == to_loop;
    }
    line = next;
  }
  return {first_is_earlier, rounds > 1                   ? TextOrder::later_round
                            : rounds == 1                ? TextOrder::next_round
                            : from_repeats && to_repeats ? TextOrder::both_repeat
                            : from_repeats               ? TextOrder::earlier_repeats
                            : to_repeats                 ? TextOrder::later_repeats
                                                         : TextOrder::one_round};
}

// Returns the loop that must begin another iteration before a thread can come from line `from` to line `to`,
// or KernelText::none. If `from` and `to` are the same line, `same_line` says whether the thread has begun
// another iteration.
int ProgramOrder::round_begun(int from, int to, bool same_line) const {
  if (to > from || (to == from && !same_line)) return KernelText::none;
  return text_.loop_around(from, to);
}

// Returns the innermost loop around `line`. Returns KernelText::none if there is no loop, or if this loop is
// also around `other`.
int ProgramOrder::loop_apart(int line, int other) const {
  const int loop = text_.loop_around(line, line);
  return loop == KernelText::none || text_.statements()[static_cast<std::size_t>(loop)].holds(other)
             ? KernelText::none
             : loop;
}

const std::vector<int>& ProgramOrder::begins(const Event& e) {
  const auto [found, made] = begins_.try_emplace({e.grid, e.block});
  if (made) {
    const auto first = std::lower_bound(
        trace_.events.begin(), trace_.events.end(), e,
        [](const auto& x, const auto& y) { return std::pair(x.grid, x.block) < std::pair(y.grid, y.block); });
    found->second = find_begins(static_cast<std::size_t>(first - trace_.events.begin()));
  }
  return found->second;
}

std::vector<int> ProgramOrder::find_begins(std::size_t first_event) const {
  const Event& first = trace_.events[first_event];
  const Grid& grid = trace_.grids[first.grid];
  std::vector<int> begins(grid.steps), ends(grid.steps), lines(grid.steps);
  std::uint32_t warp = UINT32_MAX, step = UINT32_MAX;
  for (std::size_t i = first_event; i < trace_.events.size(); ++i) {
    const Event& e = trace_.events[i];
    if (e.grid != first.grid || e.block != first.block) break;
    const std::size_t s = e.step - grid.first_step;
    if (e.kind == Kind::barrier) ends[s] = e.line;
    // Finds the first event of each warp in the step. The line of the step is the smallest line of these
    // events.
    if (e.step != step || e.warp != warp) lines[s] = lines[s] == 0 ? e.line : std::min<int>(lines[s], e.line);
    step = e.step;
    warp = e.warp;
  }
  for (std::size_t s = 0; s < begins.size(); ++s) {
    if (lines[s] == 0) continue;
    if (s > 0 && ends[s - 1] != 0) begins[s] = ends[s - 1];
    else begins[s] = line_of_mark(grid.first_step + static_cast<std::uint32_t>(s), lines[s]);
  }
  return begins;
}

// A kernel's text calls step() where a step begins. Finds the last such call at or before the line `before`
// that names the step's phase. Returns the line of this call, or `before` if there is no such call.
int ProgramOrder::line_of_mark(std::uint32_t step, int before) const {
  int found = 0;
  for (const KernelText::Mark& m : text_.marks())
    if (m.line <= before && m.phase == trace_.steps[step].phase.name() &&
        text_.function_of(m.line) == text_.function_of(before))
      found = m.line;
  return found != 0 ? found : before;
}

// Returns how many iterations the thread begins between the beginning of its step and this access. Counts the
// iterations of `loop` and of the loops around `loop`.
int ProgramOrder::rounds_in_step(Access access, int loop) {
  const Event& last = trace_.events[access.event];
  const auto is_of_step = [&](const Event& e) {
    return e.grid == last.grid && e.block == last.block && e.step == last.step && e.warp == last.warp;
  };
  constexpr std::size_t most = 1 << 16;
  std::size_t begin = access.event;
  while (begin > 0 && access.event - begin < most && is_of_step(trace_.events[begin - 1])) --begin;
  const std::vector<int>& lines = begins(last);
  int rounds = 0, line = lines[last.step - trace_.grids[last.grid].first_step];
  for (std::size_t i = begin; i <= access.event; ++i) {
    const Event& e = trace_.events[i];
    if ((e.mask >> access.lane & 1) == 0) continue;
    if (const int begun = round_begun(line, e.line, false); begun != KernelText::none)
      rounds += text_.within(loop, begun);
    line = e.line;
  }
  return rounds;
}

}  // namespace upsweep
