// Makes findings from notes: adds the element, the advice, and the place for a barrier to each note.
#include <algorithm>
#include <climits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/barrier_places.hpp"
#include "analysis/hazard_notes.hpp"

namespace upsweep {
namespace {

std::int64_t cells_there(const Trace& trace, const HazardNote& n) {
  const SharedShape& shape = trace.grids[n.party.grid].shared;
  const auto buffer = static_cast<std::size_t>(n.buffer);
  if (!n.shared) return buffer < trace.buffers.size() ? trace.buffers[buffer].count : 0;
  if (buffer > 0 && buffer <= shape.more.size()) return shape.more[buffer - 1].count;
  return std::int64_t{shape.buffers} * shape.cells_per_buffer;
}

// If padding has moved the element in the note's cell, returns the index of this element: the number that the
// kernel's text passes to pad(). Otherwise, returns -1.
std::int64_t moved_element(const Trace& trace, const HazardNote& n) {
  const SharedShape& shape = trace.grids[n.party.grid].shared;
  if (!n.shared || n.buffer != 0 || shape.buffers != 1) return -1;
  const auto found = std::find(shape.cell.begin(), shape.cell.end(), static_cast<std::uint32_t>(n.cell));
  const auto element = found - shape.cell.begin();
  return found != shape.cell.end() && element != n.cell ? element : -1;
}

bool has_atomic(const Trace& trace, const HazardNote& n) {
  const auto is = [&](const HazardParty& p) {
    return p.event != HazardParty::none && is_atomic(trace.events[p.event].kind);
  };
  return is(n.party) || is(n.other);
}

// Finds the places for barriers.
class Barriers {
 public:
  Barriers(const Trace& trace, const KernelText& text) : trace_(trace), text_(text) {}

  // Chooses the advice for two accesses of one block.
  void advise(HazardFinding& f) {
    if (f.orders & load_and_store) {
      f.advice = Advice::split_line;
      f.interval = {.from = f.party.line, .to = f.party.line};
      return;
    }
    if (takes_turns(f)) {
      f.advice = Advice::order_by_flag;
      return;
    }
    std::vector<BarrierGap> gaps = gaps_of(f);
    if (gaps.empty()) {  // one statement makes both accesses, and each thread executes this statement once
      f.advice = Advice::write_alone;
      return;
    }
    f.warp_barrier = warp_barrier_is_enough(f, gaps);
    const Together whom = f.warp_barrier ? Together::warp : Together::block;
    BarrierPlaces places, second;
    for (const BarrierGap& gap : gaps) {
      const BarrierPlaces some = barrier_places(text_, gap, whom);
      if (!narrow(places, some)) narrow(second, some);
    }
    if (places.empty()) return split(f, gaps.front(), whom);
    if (!second.empty()) f.second = interval_of(text_, second);
    f.advice = f.warp_barrier          ? Advice::sync_warp
               : has_atomic(trace_, f) ? Advice::sync_or_atomic
                                       : Advice::sync_block;
    shared_.push_back({&f, std::move(places)});
  }

  // Sets HazardFinding::interval, the two lines between which the barrier belongs. If one barrier removes
  // several findings, these findings get the same lines.
  void settle() {
    std::vector<std::pair<bool, BarrierPlaces>>
        chosen;  // for each barrier: whether the barrier is a __syncwarp(), and its places
    std::vector<std::size_t> choice;
    for (const auto& [finding, places] : shared_) {
      std::size_t i = 0;
      for (; i < chosen.size(); ++i)
        if (chosen[i].first == finding->warp_barrier)
          if (BarrierPlaces both = in_order(places, chosen[i].second); !both.empty()) {
            chosen[i].second = std::move(both);
            break;
          }
      if (i == chosen.size()) chosen.emplace_back(finding->warp_barrier, places);
      choice.push_back(i);
    }
    for (std::size_t i = 0; i < shared_.size(); ++i)
      shared_[i].first->interval = interval_of(text_, chosen[choice[i]].second);
  }

  // Returns true if no branch or loop keeps some threads away from the finding's barriers. Then a thread
  // misses a barrier only if the thread has returned, or if a race has changed the thread's path.
  bool is_on_every_way(const HazardFinding& f) const {
    const int function = text_.function_of(f.party.line);
    if (function == KernelText::none) return false;
    for (const KernelText::Statement& s : text_.statements())
      if (s.together != Together::block && (s.kind == KernelText::Statement::Kind::function
                                                ? s.holds(f.party.line)
                                                : s.kind != KernelText::Statement::Kind::scope &&
                                                      (s.holds(f.party.line) || s.holds(f.other.line))))
        return false;
    return true;
  }

 private:
  // Returns the places that are in both lists. If one list is not ascending, because it goes from the end of
  // a loop back to the loop's beginning, the result has the order of this list.
  static BarrierPlaces in_order(const BarrierPlaces& a, const BarrierPlaces& b) {
    return std::is_sorted(a.begin(), a.end()) ? common_places(b, a) : common_places(a, b);
  }

  // Keeps only the places that are also in `more`. If one of the lists is empty, keeps the other list. If the
  // lists have no common place, changes nothing and returns false. Otherwise, returns true.
  static bool narrow(BarrierPlaces& places, const BarrierPlaces& more) {
    const BarrierPlaces both = places.empty() ? more : common_places(places, more);
    if (!both.empty()) places = both;
    return !both.empty() || more.empty();
  }

  // Returns the pairs of lines that a barrier must separate: one pair for each order_bit() of
  // HazardFinding::orders. The pairs that begin with the line of HazardFinding::other come first.
  static std::vector<BarrierGap> gaps_of(const HazardFinding& f) {
    const auto [low, high] = std::minmax(f.party.line, f.other.line);
    std::vector<BarrierGap> gaps;
    for (int i = 0; i <= static_cast<int>(TextOrder::both_repeat); ++i) {
      const auto order = static_cast<TextOrder>(i);
      if (f.orders & order_bit(order, true)) gaps.push_back({low, high, order});
      if (f.orders & order_bit(order, false)) gaps.push_back({high, low, order});
    }
    std::ranges::stable_partition(gaps, [&](const BarrierGap& g) { return g.from == f.other.line; });
    return gaps;
  }

  // Looks for a loop in which threads of the block wait for a word of shared memory. Returns true if there is
  // such a loop, and if no barrier is between the loop's beginning and the later line of the finding. A new
  // barrier would then be wrong, because the barrier would stop the threads for which the other threads wait.
  bool takes_turns(const HazardFinding& f) const {
    const int until = std::max(f.party.line, f.other.line), function = text_.function_of(until);
    std::set<int> barriers, meetings;  // lines with barriers; lines with atomics or volatile accesses
    for_each_event_of_block(f, [&](const Event& e) {
      if (e.kind == Kind::barrier) barriers.insert(e.line);
      if (is_shared(e.kind) && (is_atomic(e.kind) || (e.flags & is_volatile) != 0)) meetings.insert(e.line);
    });
    const auto has = [](const std::set<int>& lines, int first, int last) {
      const auto found = lines.lower_bound(first);
      return found != lines.end() && *found <= last;
    };
    return std::ranges::any_of(text_.statements(), [&](const KernelText::Statement& s) {
      return s.kind == KernelText::Statement::Kind::loop && s.first < until &&
             text_.function_of(s.first) == function && has(meetings, s.first, s.last) &&
             !has(barriers, s.first, until) && text_.only_waits(s.first);
    });
  }

  // Sets the advice for two accesses in a branch that only some threads take. If a __syncwarp() is enough,
  // advises a __syncwarp() for the lanes of the branch. Otherwise, advises to end the branch, to put a
  // barrier there, and to begin the branch again.
  void split(HazardFinding& f, const BarrierGap& gap, Together whom) {
    const int branch = branch_to_split(text_, gap, whom);
    f.advice = whom == Together::warp ? Advice::sync_lanes : Advice::split_branch;
    const bool next = gap.order == TextOrder::next_round || gap.order == TextOrder::later_round;
    f.interval = {.from = gap.from, .to = gap.to, .next_round = next};
    if (gap.from >= gap.to && !next) std::swap(f.interval.from, f.interval.to);
    if (branch != KernelText::none) {
      const KernelText::Statement& s = text_.statements()[static_cast<std::size_t>(branch)];
      f.branch = s.first;
      f.branch_is_loop = s.kind == KernelText::Statement::Kind::loop;
    }
    if (const int loop = text_.loop_around(gap.from, gap.to); next && loop != KernelText::none)
      f.interval.loop = text_.statements()[static_cast<std::size_t>(loop)].first;
  }

  // Returns whether a __syncwarp() can replace a __syncthreads(). The two threads of the race must be in one
  // warp. There is a second condition:
  // - If whole warps take a branch around the accesses, all accesses of both lines must be by one warp.
  // - Otherwise, each cell must have been used by only one warp.
  bool warp_barrier_is_enough(const HazardFinding& f, const std::vector<BarrierGap>& gaps) const {
    if (f.apart != Apart::warp) return false;
    const bool within_warps =
        std::ranges::all_of(gaps, [&](const BarrierGap& g) { return in_branch_of_warps(g.from); });
    return within_warps ? of_one_warp(f) : warps_have_their_own_cells(f);
  }
  // Finds the outermost branch or loop around `line` that some threads of the block may skip. Returns true if
  // whole warps take or skip this branch or loop.
  bool in_branch_of_warps(int line) const {
    for (const KernelText::Statement& s : text_.statements())
      if (s.kind != KernelText::Statement::Kind::function && s.together != Together::block && s.holds(line))
        return s.together == Together::warp;
    return false;
  }
  template <class F>
  void for_each_event_of_block(const HazardFinding& f, F visit) const {
    const auto key = [](const Event& e) { return std::pair<std::uint32_t, std::uint32_t>(e.grid, e.block); };
    const std::pair block(f.party.grid, f.party.block);
    auto e = std::partition_point(trace_.events.begin(), trace_.events.end(),
                                  [&](const Event& x) { return key(x) < block; });
    for (; e != trace_.events.end() && key(*e) == block; ++e) visit(*e);
  }
  bool of_one_warp(const HazardFinding& f) const {
    std::set<int> warps;
    for_each_event_of_block(f, [&](const Event& e) {
      if (is_access(e.kind) && (e.line == f.party.line || e.line == f.other.line)) warps.insert(e.warp);
    });
    return warps.size() == 1;
  }
  // Looks at the lines from the last barrier before the race to the first barrier after the race. Returns
  // true if several warps use the memory of the race in these lines, and no two warps use the same cell.
  bool warps_have_their_own_cells(const HazardFinding& f) const {
    const Kind kind = trace_.events[f.party.event].kind;
    std::set<std::pair<std::int64_t, int>> uses;
    std::set<int> warps;
    const auto [first, last] = std::minmax(f.party.line, f.other.line);
    int from = 0, to = INT_MAX;
    for_each_event_of_block(f, [&, first = first, last = last](const Event& e) {
      if (e.kind != Kind::barrier) return;
      if (e.line < first) from = std::max<int>(from, e.line);
      if (e.line > last) to = std::min<int>(to, e.line);
    });
    for_each_event_of_block(f, [&](const Event& e) {
      if (!is_access(e.kind) || is_shared(e.kind) != is_shared(kind) || e.buffer != f.buffer) return;
      if (e.line < from || e.line > to) return;
      warps.insert(e.warp);
      for_each_lane(e, [&](int, std::uint32_t entry) { uses.emplace(trace_.lanes[entry].address, e.warp); });
    });
    const auto twice = std::adjacent_find(uses.begin(), uses.end(),
                                          [](const auto& a, const auto& b) { return a.first == b.first; });
    return warps.size() > 1 && twice == uses.end();
  }

  const Trace& trace_;
  const KernelText& text_;
  std::vector<std::pair<HazardFinding*, BarrierPlaces>> shared_;
};

Advice advice_without_barrier(const Trace& trace, const HazardNote& n) {
  switch (n.kind) {
    case Hazard::shared_race:
    case Hazard::global_race:
      return n.apart == Apart::request ? Advice::write_alone
             : n.apart == Apart::grid  ? Advice::order_blocks
                                       : Advice::order_grids;
    case Hazard::divergent_barrier: return Advice::move_barrier;
    case Hazard::out_of_bounds: return Advice::guard;
    case Hazard::uninitialised_read: return Advice::initialise;
    case Hazard::absent_lane: return Advice::shuffle_together;
    case Hazard::endless_loop:
      return trace.stopped.kind == Stop::round_limit ? Advice::raise_rounds : Advice::end_loop;
    case Hazard::deadlock:
      return trace.stopped.kind == Stop::not_resident ? Advice::fewer_blocks : Advice::reach_all;
    case Hazard::misaligned: return Advice::align;
    case Hazard::endless_launches: return Advice::end_launches;
    case Hazard::wrong_mask: return Advice::name_callers;
  }
  return Advice::none;
}

// Returns the line of the last fence that the event's warp executed before the event, or 0 if there is no
// such fence.
int line_of_fence_before(const Trace& trace, std::uint32_t event) {
  const Event& e = trace.events[event];
  const Event* last = nullptr;
  for (std::uint32_t i = event; i > 0; --i) {
    const Event& earlier = trace.events[i - 1];
    if (earlier.grid != e.grid || earlier.block != e.block) break;
    if (earlier.kind == Kind::fence && earlier.warp == e.warp && earlier.time < e.time &&
        (!last || earlier.time > last->time))
      last = &earlier;
  }
  return last ? last->line : 0;
}

}  // namespace

void advise_warp_barriers(const Trace& trace, std::vector<HazardFinding>& findings) {
  for (HazardFinding& f : findings) {
    if (f.lockstep || f.advice != Advice::order_blocks || f.party.event == HazardParty::none) continue;
    const int fence = line_of_fence_before(trace, f.party.event);
    if (fence == 0 || fence >= f.party.line) continue;
    f.advice = Advice::sync_warp;
    f.warp_barrier = true;
    f.interval = {.from = fence, .to = f.party.line};
  }
}

std::vector<HazardFinding> findings_of(const Trace& trace, const std::vector<HazardNote>& notes,
                                       const KernelText& text) {
  std::vector<HazardFinding> findings;
  for (const HazardNote& n : notes) {
    HazardFinding& f = findings.emplace_back();
    static_cast<HazardNote&>(f) = n;
    f.has_cell = n.kind == Hazard::out_of_bounds || n.cell != -1;
    if (f.has_cell) f.element = moved_element(trace, n);
    if (n.kind == Hazard::out_of_bounds) f.cells = cells_there(trace, n);
    if (n.kind == Hazard::uninitialised_read && !needs_barrier(n)) f.other = {};
    f.advice = advice_without_barrier(trace, n);
  }
  const auto causes = find_causes(trace, findings, text);
  Barriers barriers(trace, text);
  for (HazardFinding& f : findings)
    if (needs_barrier(f) && f.advice != Advice::race_first) barriers.advise(f);
  barriers.settle();
  for (const auto& [f, cause] : causes) advise_as_cause(*f, *cause);
  const auto cause = std::find_if(findings.begin(), findings.end(), [](const HazardFinding& f) {
    return is_race(f.kind) && f.interval.from != 0;
  });
  const bool all_follow = std::all_of(findings.begin(), findings.end(), [&](const HazardFinding& f) {
    return f.kind != Hazard::divergent_barrier || barriers.is_on_every_way(f);
  });
  if (cause == findings.end() || !all_follow) {
    for (HazardFinding& f : findings)
      if (f.advice == Advice::move_barrier && f.other.line == 0 && barriers.is_on_every_way(f))
        f.advice = Advice::do_not_return;
    return findings;
  }
  for (HazardFinding& f : findings)
    if (f.kind == Hazard::divergent_barrier) {
      f.advice = Advice::sync_block;
      f.interval = cause->interval;
    }
  return findings;
}

}  // namespace upsweep
