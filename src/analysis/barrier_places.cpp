#include "analysis/barrier_places.hpp"

#include <algorithm>
#include <cstddef>

namespace upsweep {
namespace {

using StatementKind = KernelText::Statement::Kind;

// Returns whether some threads of the group `whom` may skip the statement.
bool parts(const KernelText::Statement& s, Together whom) {
  return (s.kind == StatementKind::branch || s.kind == StatementKind::loop) && s.together > whom;
}

// Returns true if `s` is an `else`, and a barrier after `line` would be between the `if` and this `else`. C++
// allows no statement at that place.
bool is_before_else(const KernelText& text, const KernelText::Statement& s, int line) {
  return s.else_of != KernelText::none &&
         text.statements()[static_cast<std::size_t>(s.else_of)].last <= line && line < s.first;
}

}  // namespace

BarrierPlaces barrier_places(const KernelText& text, const BarrierGap& gap, Together whom) {
  BarrierPlaces places;
  const auto add = [&](int from, int to) {
    for (int line = from; line < to; ++line) {
      const bool reached_by_all =
          std::ranges::none_of(text.statements(), [&](const KernelText::Statement& s) {
            return (parts(s, whom) && s.first <= line && line < s.last) || is_before_else(text, s, line);
          });
      if (reached_by_all) places.push_back(line);
    }
  };
  const int loop = text.loop_around(gap.from, gap.to);
  const auto statement = [&](int i) { return text.statements()[static_cast<std::size_t>(i)]; };
  if (loop != KernelText::none && gap.order == TextOrder::later_round) {
    add(statement(loop).first, statement(loop).last);
  } else if (loop != KernelText::none && gap.order == TextOrder::next_round) {
    add(gap.from, statement(loop).last);
    add(statement(loop).first, gap.to);
  } else {
    // If a loop contains only one of the two accesses, this loop may begin another iteration between the
    // accesses. In this case, the barrier can be anywhere in the body of this loop.
    int from = gap.from, to = gap.to;
    const bool all_from = gap.order == TextOrder::earlier_repeats || gap.order == TextOrder::both_repeat;
    const bool all_to = gap.order == TextOrder::later_repeats || gap.order == TextOrder::both_repeat;
    if (const int l = text.loop_around(from, from); all_from && l != KernelText::none)
      from = statement(l).first;
    if (const int l = text.loop_around(to, to); all_to && l != KernelText::none) to = statement(l).last;
    // A loop evaluates its condition once more after the last iteration. So if the earlier access is in a
    // loop's condition, the barrier must come after the loop.
    if (const int l = text.loop_around(gap.from, gap.from);
        l != KernelText::none && statement(l).first == gap.from && !statement(l).holds(to))
      from = statement(l).last;
    add(std::min(from, to), std::max(from, to));
  }
  return places;
}

int branch_to_split(const KernelText& text, const BarrierGap& gap, Together whom) {
  int found = KernelText::none;
  for (std::size_t i = 0; i < text.statements().size(); ++i) {
    const KernelText::Statement& s = text.statements()[i];
    if (parts(s, whom) && s.holds(gap.from) && s.holds(gap.to)) found = static_cast<int>(i);
    if (s.else_of == KernelText::none || !parts(s, whom)) continue;
    const KernelText::Statement& then = text.statements()[static_cast<std::size_t>(s.else_of)];
    if ((then.holds(gap.from) && s.holds(gap.to)) || (s.holds(gap.from) && then.holds(gap.to)))
      found = s.else_of;
  }
  return found;
}

BarrierPlaces common_places(const BarrierPlaces& some, const BarrierPlaces& others) {
  BarrierPlaces both;
  for (const int line : some)
    if (std::find(others.begin(), others.end(), line) != others.end()) both.push_back(line);
  return both;
}

LineInterval interval_of(const KernelText& text, const BarrierPlaces& places) {
  LineInterval interval{
      .from = places.front(),
      .to = places.back() + 1,
      .next_round = std::adjacent_find(places.begin(), places.end(), std::greater<>()) != places.end()};
  if (!interval.next_round) return interval;
  const int loop = text.loop_around(interval.from, interval.to);
  if (loop != KernelText::none) interval.loop = text.statements()[static_cast<std::size_t>(loop)].first;
  return interval;
}

}  // namespace upsweep
