#include "study/compared_facts.hpp"

#include <algorithm>
#include <exception>
#include <map>

#include "analysis/banks.hpp"
#include "analysis/facts.hpp"
#include "analysis/memory.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/plan.hpp"
#include "machine/machine.hpp"
#include "study/give_way.hpp"
#include "study/room.hpp"
#include "study/timing_choice.hpp"

namespace upsweep {

bool differ_in_blocks(const std::optional<BlockCost>& one, const std::optional<BlockCost>& other) {
  return one && other && one->blocks != other->blocks;
}

BlockCost block_cost(const Trace& trace, const Totals& run) {
  BlockCost cost;
  cost.run_wavefronts = run.shared_load.wavefronts + run.shared_store.wavefronts;
  cost.run_excess = run.shared_load.excess + run.shared_store.excess;
  if (trace.grids.empty()) return cost;
  const auto largest = std::max_element(trace.grids.begin(), trace.grids.end(),
                                        [](const Grid& a, const Grid& b) { return a.blocks < b.blocks; });
  cost.blocks = largest->blocks;
  const int grid = static_cast<int>(largest - trace.grids.begin());
  const std::vector<int> focus = focus_of(trace, grid);
  if (focus.empty()) return cost;
  const EventRange range = block_events(trace, grid, focus.front());
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = trace.events[i];
    if (e.kind != Kind::shared_load && e.kind != Kind::shared_store) continue;
    const BankCost c = bank_cost(trace, e);
    cost.wavefronts += c.wavefronts;
    cost.excess += c.excess();
  }
  return cost;
}

ComparedFacts::Find ComparedFacts::find_on_emulator() {
  using Machines = std::map<MachineChoice, std::shared_ptr<Machine>>;
  return [machines = std::make_shared<Machines>()](const Order& order, Job& job) {
    const Trace& trace = order.shown->trace;
    if (!order.compared) return block_cost(trace, order.shown->facts.totals);
    const Settings s = with_choices_of(trace.settings, *order.compared);
    const MachineChoice choice = machine_for(algorithm(s.algorithm), MachineChoice::emulated);
    std::shared_ptr<Machine>& machine = (*machines)[choice];
    if (!machine) {
      give_way();
      machine = open_machine(choice);
    }
    RecordOptions options;
    options.blocks = 1;
    options.job = &job;
    const Trace compared = machine->record(s, trace.input, options);
    return block_cost(compared, facts(compared).totals);
  };
}

void ComparedFacts::follow(const std::shared_ptr<const Recording>& shown,
                           const std::optional<Settings>& compared) {
  if (shown == shown_ && compared == compared_) return;
  if (shown != shown_) {
    shown_cost_.reset();
    has_tried_shown_ = false;
  }
  shown_ = shown;
  compared_ = compared;
  compared_cost_.reset();
  if (!worker_)
    worker_ = std::make_unique<Worker<Order, Cost>>(
        [find = std::move(find_)](const Order& order, Job& job) {
          Cost found{order, {}};
          try {
            found.cost = find(order, job);
          } catch (const std::exception&) {}  // the cost stays unknown
          return found;
        },
        wake_);
  find_next();
}

// Begins to find the cost of the shown recording. If this cost is known, begins to find the cost of the
// compared variant, unless its run would be too long or too large.
void ComparedFacts::find_next() {
  if (!has_tried_shown_) return worker_->begin({shown_, {}});
  // A longer run would delay the user's next request, because both use the same cores. most_share is the
  // share of the free memory that the run may take.
  constexpr double most_cost = 1 << 20, most_share = 0.25;
  worker_->cancel();
  if (!compared_ || compared_cost_) return;
  try {
    const Settings& s = shown_->trace.settings;
    if (cost(algorithm(s.algorithm), s) > most_cost ||
        recording_bytes(s) > most_share * static_cast<double>(free_memory()))
      return;
  } catch (const std::exception&) { return; }  // this program may not have a recording's algorithm
  worker_->begin({shown_, compared_});
}

bool ComparedFacts::tick() {
  if (!worker_) return false;
  const auto found = worker_->take();
  if (!found) return false;
  if (found->of.compared) {
    compared_cost_ = found->cost;
  } else {
    shown_cost_ = found->cost;
    has_tried_shown_ = true;
    find_next();
  }
  return true;
}

void ComparedFacts::wait(double seconds) {
  while (worker_ && worker_->busy() && worker_->wait(seconds)) tick();
}

}  // namespace upsweep
