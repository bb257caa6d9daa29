#include "analysis/facts.hpp"

#include <algorithm>

#include "analysis/banks.hpp"
#include "analysis/coalescing.hpp"
#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"

namespace upsweep {
namespace {

// What one event costs, whatever its kind.
struct Cost {
  BankCost banks;
  SectorCost sectors;
};

Cost cost_of(const Trace& trace, const Event& e) {
  Cost cost;
  if (is_shared(e.kind)) cost.banks = bank_cost(trace, e);
  if (is_global(e.kind)) cost.sectors = sector_cost(trace, e);
  return cost;
}

void add(SharedTotals& totals, const BankCost& cost) {
  totals.requests += 1;
  totals.wavefronts += cost.wavefronts;
  totals.excess += cost.excess();
}

void add(GlobalTotals& totals, const SectorCost& cost) {
  totals.requests += 1;
  totals.sectors += cost.sectors;
  totals.ideal_sectors += cost.ideal;
}

void add(Totals& totals, const Event& e, const Cost& cost) {
  switch (e.kind) {
    case Kind::shared_load: add(totals.shared_load, cost.banks); break;
    case Kind::shared_store: add(totals.shared_store, cost.banks); break;
    case Kind::global_load: add(totals.global_load, cost.sectors); break;
    case Kind::global_store: add(totals.global_store, cost.sectors); break;
    case Kind::operation: totals.operations += std::popcount(e.mask); break;
    default: break;
  }
}

void add(SharedTotals& totals, const SharedTotals& more) {
  totals.requests += more.requests;
  totals.wavefronts += more.wavefronts;
  totals.excess += more.excess;
}

void add(GlobalTotals& totals, const GlobalTotals& more) {
  totals.requests += more.requests;
  totals.sectors += more.sectors;
  totals.ideal_sectors += more.ideal_sectors;
}

void add(Totals& totals, const Totals& more) {
  add(totals.shared_load, more.shared_load);
  add(totals.shared_store, more.shared_store);
  add(totals.global_load, more.global_load);
  add(totals.global_store, more.global_store);
  totals.operations += more.operations;
}

// Line facts by line number, lines without any at line 0.
class Lines {
 public:
  void add(const Event& e, const Cost& cost) {
    if (e.line >= by_number_.size()) by_number_.resize(e.line + 1);
    LineFacts& facts = by_number_[e.line];
    facts.line = e.line;
    upsweep::add(facts.totals, e, cost);
    if (!is_shared(e.kind)) return;
    facts.active_lanes += std::popcount(e.mask);
    facts.max_degree = std::max(facts.max_degree, cost.banks.degree);
  }
  std::vector<LineFacts> ascending() && {
    std::erase_if(by_number_, [](const LineFacts& facts) { return facts.line == 0; });
    return std::move(by_number_);
  }

 private:
  std::vector<LineFacts> by_number_;
};

// The lanes of one warp in one step: who worked, and whether always all together.
void add_warp(StepFacts& facts, std::uint32_t working, std::uint32_t live, bool together) {
  if (working == 0) return;
  facts.active_lanes += std::popcount(working);
  facts.working_warps += 1;
  facts.diverged_warps += !together;
  facts.lost_lanes += std::popcount(live & ~working);
}

}  // namespace

Facts facts(const Trace& trace) {
  Facts facts;
  facts.steps.resize(trace.steps.size());
  Lines lines;
  for (std::size_t i = 0; i < trace.events.size();) {
    const std::uint32_t block = trace.events[i].block;
    const auto live_in = live_lanes(trace, static_cast<int>(block));
    const std::size_t end = block_events(trace, static_cast<int>(block)).last;
    while (i < end) {  // one warp in one step
      const Event& first = trace.events[i];
      StepFacts& step = facts.steps[first.step];
      const std::uint32_t live = live_in[first.step * trace.grids.front().warps() + first.warp];
      std::uint32_t working = 0;
      bool together = true;
      for (; i < end && trace.events[i].step == first.step && trace.events[i].warp == first.warp; ++i) {
        const Event& e = trace.events[i];
        if (e.kind == Kind::barrier) continue;
        const Cost cost = cost_of(trace, e);
        add(step.totals, e, cost);
        lines.add(e, cost);
        step.max_degree = std::max(step.max_degree, cost.banks.degree);
        working |= e.mask;
        together = together && e.mask == live;
      }
      add_warp(step, working, live, together);
    }
  }
  for (const StepFacts& step : facts.steps) add(facts.totals, step.totals);
  facts.lines = std::move(lines).ascending();
  return facts;
}

std::vector<LineFacts> line_facts(const Trace& trace, int step) {
  Lines lines;
  for (const Event& e : trace.events)
    if (e.step == static_cast<std::uint32_t>(step) && e.kind != Kind::barrier)
      lines.add(e, cost_of(trace, e));
  return std::move(lines).ascending();
}

}  // namespace upsweep
