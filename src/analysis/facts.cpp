#include "analysis/facts.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "analysis/banks.hpp"
#include "analysis/coalescing.hpp"
#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"
#include "analysis/work.hpp"

namespace upsweep {
namespace {

// The banks decide the cost of a load or store of shared memory. The sectors decide the cost of a load or
// store of global memory. Both functions return false for atomics, because atomics have other costs.
bool is_shared_access(Kind k) { return k == Kind::shared_load || k == Kind::shared_store; }
bool is_global_access(Kind k) { return k == Kind::global_load || k == Kind::global_store; }

void tally(SharedTotals& totals, const Count& c) {
  totals.requests += static_cast<std::int64_t>(c.requests);
  totals.wavefronts += static_cast<std::int64_t>(c.units);
  totals.excess += static_cast<std::int64_t>(c.units) - static_cast<std::int64_t>(c.ideal);
}
void tally(GlobalTotals& totals, const Count& c) {
  totals.requests += static_cast<std::int64_t>(c.requests);
  totals.sectors += static_cast<std::int64_t>(c.units);
  totals.ideal_sectors += static_cast<std::int64_t>(c.ideal);
}
void tally(LaneTotals& totals, const Count& c) {
  totals.requests += static_cast<std::int64_t>(c.requests);
  totals.lanes += static_cast<std::int64_t>(c.lanes);
}

void tally(Totals& totals, const Count& c) {
  const auto requests = static_cast<std::int64_t>(c.requests);
  if (is_work(c.kind))
    tally(c.kind == Kind::operation ? totals.issued_operations : totals.issued_requests, c);
  // Operations of atomics on global memory are not counted here, but from the events (see
  // applies_operator()).
  if (c.kind != Kind::global_atomic) totals.operations += applications(c.kind, c.detail, c.requests, c.lanes);
  switch (c.kind) {
    case Kind::shared_load: tally(totals.shared_load, c); break;
    case Kind::shared_store: tally(totals.shared_store, c); break;
    case Kind::global_load: tally(totals.global_load, c); break;
    case Kind::global_store: tally(totals.global_store, c); break;
    case Kind::shared_atomic: tally(totals.shared_atomic, c); break;
    case Kind::global_atomic: tally(totals.global_atomic, c); break;
    case Kind::shuffle: tally(totals.shuffle, c); break;
    case Kind::vote: tally(totals.vote, c); break;
    case Kind::launch: tally(totals.launch, c); break;
    case Kind::operation: break;
    case Kind::barrier: totals.barriers += requests; break;
    case Kind::warp_barrier: totals.warp_barriers += requests; break;
    case Kind::fence: totals.fences += requests; break;
  }
}

// Returns the Count of a single event. Sets `degree` to the n of the event's n-way bank conflict. Sets
// `degree` to 0 if the event is no load or store of shared memory.
Count count_of(const Trace& trace, const Event& e, int& degree) {
  Count c{.step = e.step,
          .line = e.line,
          .kind = e.kind,
          .detail = e.detail,
          .requests = 1,
          .lanes = static_cast<std::uint64_t>(std::popcount(e.mask))};
  degree = 0;
  if (is_shared_access(e.kind)) {
    const BankCost cost = bank_cost(trace, e);
    c.units = static_cast<std::uint64_t>(cost.wavefronts);
    c.ideal = static_cast<std::uint64_t>(cost.groups);
    degree = cost.degree;
  } else if (is_global_access(e.kind)) {
    const SectorCost cost = sector_cost(trace, e);
    c.units = static_cast<std::uint64_t>(cost.sectors);
    c.ideal = static_cast<std::uint64_t>(cost.ideal);
  }
  return c;
}

// The LineFacts of each line, with the line number as index. An event that has no line is counted at line 0.
// ascending() leaves out line 0.
class Lines {
 public:
  // `degree` is the n of the n-way bank conflict of a shared load or store, and 0 for other events.
  void add(const Count& c, int degree) {
    if (!is_work(c.kind)) return;
    if (c.line >= by_number_.size()) by_number_.resize(c.line + 1);
    LineFacts& facts = by_number_[c.line];
    facts.line = c.line;
    tally(facts.totals, c);
    facts.max_degree = std::max(facts.max_degree, degree);
    if (is_shared(c.kind)) facts.active_lanes += static_cast<std::int64_t>(c.lanes);
  }
  void add_operations(std::size_t line, int lanes) {
    if (line >= by_number_.size()) by_number_.resize(line + 1);
    by_number_[line].line = static_cast<int>(line);
    by_number_[line].totals.operations += lanes;
  }
  void note_degree(int line, int degree) {
    if (line < static_cast<int>(by_number_.size()))
      by_number_[line].max_degree = std::max(by_number_[line].max_degree, degree);
  }
  std::vector<LineFacts> ascending() && {
    std::erase_if(by_number_, [](const LineFacts& facts) { return facts.line == 0; });
    return std::move(by_number_);
  }

 private:
  std::vector<LineFacts> by_number_;
};

// Collects the LineFacts of every step. One step needs little memory, because it executes only a few lines.
class StepLines {
 public:
  explicit StepLines(std::size_t steps) : steps_(steps) {}
  void add(const Count& c, int degree) {
    if (!is_work(c.kind)) return;
    LineFacts& facts = at(c.step, c.line);
    tally(facts.totals, c);
    facts.max_degree = std::max(facts.max_degree, degree);
    if (is_shared(c.kind)) facts.active_lanes += static_cast<std::int64_t>(c.lanes);
  }
  void add_operations(std::uint32_t step, int line, int lanes) { at(step, line).totals.operations += lanes; }
  std::vector<std::vector<LineFacts>> ascending() && {
    std::vector<std::vector<LineFacts>> all(steps_.size());
    for (std::size_t step = 0; step < all.size(); ++step) {
      for (const auto& [line, facts] : steps_[step])
        if (line > 0) all[step].push_back(facts);
      steps_[step].clear();
    }
    return all;
  }

 private:
  LineFacts& at(std::uint32_t step, int line) {
    return steps_[step].try_emplace(line, LineFacts{.line = line, .totals = {}}).first->second;
  }
  std::vector<std::map<int, LineFacts>> steps_;
};

// Adds the numbers of one warp in one step to `facts`. `together` is true if all live lanes of the warp took
// part in all work of the warp.
void add_warp(StepFacts& facts, std::uint32_t working, std::uint32_t live, bool together) {
  if (working == 0) return;
  facts.active_lanes += std::popcount(working);
  facts.working_warps += 1;
  facts.diverged_warps += !together;
  facts.lost_lanes += std::popcount(live & ~working);
}

class Counter {
 public:
  explicit Counter(const Trace& trace)
      : trace_(trace), counted_(!trace.counts.empty()), step_lines_(trace.steps.size()) {
    facts_.steps.resize(trace.steps.size());
  }

  Facts count() && {
    for (const Count& c : trace_.counts)
      if (c.step < facts_.steps.size()) take(c, 0);
    for (std::size_t i = 0; i < trace_.events.size();) i = block(i);
    add_up_steps();
    facts_.lines = std::move(lines_).ascending();
    facts_.step_lines = std::move(step_lines_).ascending();
    return std::move(facts_);
  }

 private:
  void take(const Count& c, int degree) {
    tally(facts_.steps[c.step].totals, c);
    lines_.add(c, degree);
    step_lines_.add(c, degree);
  }

  // Adds the events of the block whose first event has index i. Returns the index after the block's last
  // event.
  std::size_t block(std::size_t i) {
    const int grid = trace_.events[i].grid, block = static_cast<int>(trace_.events[i].block);
    const Grid& g = trace_.grids[static_cast<std::size_t>(grid)];
    const std::size_t end = block_events(trace_, grid, block).last;
    const bool whole = in_focus(trace_, grid, block);
    const auto live_in = whole ? live_lanes(trace_, grid, block) : std::vector<std::uint32_t>{};
    while (i < end) {  // one warp in one step
      const Event& first = trace_.events[i];
      StepFacts& step = facts_.steps[first.step];
      const std::uint32_t live =
          whole ? live_in[(first.step - g.first_step) * static_cast<std::size_t>(g.warps()) + first.warp] : 0;
      std::uint32_t working = 0;
      bool together = true;
      for (; i < end && trace_.events[i].step == first.step && trace_.events[i].warp == first.warp; ++i) {
        const Event& e = trace_.events[i];
        event(e, step);
        if (!is_work(e.kind)) continue;
        working |= e.mask;
        together = together && e.mask == live;
      }
      if (whole) add_warp(step, working, live, together);
    }
    return end;
  }

  void event(const Event& e, StepFacts& step) {
    if (is_atomic(e.kind)) {
      step.max_contention = std::max(step.max_contention, contention(trace_, e));
      if (applies_operator(e)) {
        const int lanes = std::popcount(e.mask);
        step.totals.operations += lanes;
        lines_.add_operations(e.line, lanes);
        step_lines_.add_operations(e.step, e.line, lanes);
      }
    }
    // If the recorder counted all events, the totals already contain this event. Then only shared loads and
    // stores are examined further, because of their bank conflicts.
    if (counted_ && !is_shared_access(e.kind)) return;
    int degree = 0;
    const Count c = count_of(trace_, e, degree);
    step.max_degree = std::max(step.max_degree, degree);
    if (counted_) lines_.note_degree(e.line, degree);
    else take(c, degree);
  }

  void add_up_steps() {
    double active = 0, lanes = 0;
    for (const StepFacts& step : facts_.steps) {
      add(facts_.totals, step.totals);
      active += step.active_lanes;
      lanes += static_cast<double>(lanes_of_warp) * step.working_warps;
    }
    if (lanes > 0) facts_.lane_utilisation = active / lanes;
    const auto& grids = trace_.grids;
    if (std::any_of(grids.begin(), grids.end(), [](const Grid& g) { return g.parent >= 0; })) {
      facts_.launches = {facts_.totals};
      return;
    }
    facts_.launches.resize(grids.size());
    for (std::size_t s = 0; s < facts_.steps.size(); ++s) {
      const int grid = grid_index(trace_, static_cast<int>(s));
      add(facts_.launches[static_cast<std::size_t>(grid)], facts_.steps[s].totals);
    }
  }

  static void add(SharedTotals& totals, const SharedTotals& more) {
    totals.requests += more.requests;
    totals.wavefronts += more.wavefronts;
    totals.excess += more.excess;
  }
  static void add(GlobalTotals& totals, const GlobalTotals& more) {
    totals.requests += more.requests;
    totals.sectors += more.sectors;
    totals.ideal_sectors += more.ideal_sectors;
  }
  static void add(LaneTotals& totals, const LaneTotals& more) {
    totals.requests += more.requests;
    totals.lanes += more.lanes;
  }
  static void add(Totals& totals, const Totals& more) {
    add(totals.shared_load, more.shared_load);
    add(totals.shared_store, more.shared_store);
    add(totals.global_load, more.global_load);
    add(totals.global_store, more.global_store);
    for (auto kind : {&Totals::shared_atomic, &Totals::global_atomic, &Totals::shuffle, &Totals::vote,
                      &Totals::launch, &Totals::issued_requests, &Totals::issued_operations})
      add(totals.*kind, more.*kind);
    for (auto number : {&Totals::operations, &Totals::barriers, &Totals::warp_barriers, &Totals::fences})
      totals.*number += more.*number;
  }

  const Trace& trace_;
  const bool counted_;
  Facts facts_;
  Lines lines_;
  StepLines step_lines_;
};

}  // namespace

Facts facts(const Trace& trace) { return Counter(trace).count(); }

std::vector<LineFacts> line_facts(const Trace& trace, int step) {
  Lines lines;
  const auto here = static_cast<std::uint32_t>(step);
  const bool counted = !trace.counts.empty();
  bool atomics = false;
  auto count = std::lower_bound(trace.counts.begin(), trace.counts.end(), here,
                                [](const Count& c, std::uint32_t s) { return c.step < s; });
  for (; count != trace.counts.end() && count->step == here; ++count) {
    lines.add(*count, 0);
    atomics = atomics || count->kind == Kind::global_atomic;
  }
  // If the recorder counted all events, the line facts are complete, except for the operations of atomics on
  // global memory. These operations are counted from the events (see applies_operator()).
  if (counted && !atomics) return std::move(lines).ascending();
  // The events are sorted by grid, block and step. So each block is searched for its events of this step.
  const int grid = grid_index(trace, step);
  for (std::size_t i = 0; i < trace.events.size();) {
    const Event& first = trace.events[i];
    if (first.grid != grid) {
      i = first.grid < grid ? block_events(trace, grid, 0).first : trace.events.size();
      continue;
    }
    const int block = static_cast<int>(first.block);
    const EventRange range = step_events(trace, block, step);
    for (std::size_t e = range.first; e < range.last; ++e) {
      const Event& event = trace.events[e];
      if (applies_operator(event)) lines.add_operations(event.line, std::popcount(event.mask));
      if (counted) continue;
      int degree = 0;
      const Count c = count_of(trace, event, degree);
      lines.add(c, degree);
    }
    i = block_events(trace, grid, block).last;
  }
  return std::move(lines).ascending();
}

int contention(const Trace& trace, const Event& event) {
  std::array<std::int64_t, 32> addresses{};
  auto end = addresses.begin();
  for_each_cell(event, [&](int, std::uint32_t at, std::uint32_t) { *end++ = trace.lanes[at].address; });
  std::sort(addresses.begin(), end);
  int most = 0;
  for (auto at = addresses.begin(); at != end;) {
    const auto behind = std::upper_bound(at, end, *at);
    most = std::max(most, static_cast<int>(behind - at));
    at = behind;
  }
  return most;
}

}  // namespace upsweep
