#include "study/compared_facts.hpp"

#include <exception>
#include <map>

#include "analysis/facts.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/plan.hpp"
#include "machine/machine.hpp"
#include "study/give_way.hpp"
#include "study/room.hpp"
#include "study/timing_choice.hpp"

namespace upsweep {

SharedCost shared_cost(const Totals& run) {
  return {run.shared_load.wavefronts + run.shared_store.wavefronts,
          run.shared_load.excess + run.shared_store.excess};
}

ComparedFacts::Find ComparedFacts::find_on_emulator() {
  using Machines = std::map<MachineChoice, std::shared_ptr<Machine>>;
  return [machines = std::make_shared<Machines>()](const Order& order, Job& job) {
    const Trace& trace = order.shown->trace;
    const Settings s = with_choices_of(trace.settings, order.compared);
    const MachineChoice choice = machine_for(algorithm(s.algorithm), MachineChoice::emulated);
    std::shared_ptr<Machine>& machine = (*machines)[choice];
    if (!machine) {
      give_way();
      machine = open_machine(choice);
    }
    RecordOptions options;
    options.blocks = 1;
    options.job = &job;
    return shared_cost(facts(machine->record(s, trace.input, options)).totals);
  };
}

void ComparedFacts::follow(const std::shared_ptr<const Recording>& shown,
                           const std::optional<Settings>& compared) {
  if (shown == shown_ && compared == compared_) return;
  shown_ = shown;
  shown_cost_ = shared_cost(shown->facts.totals);
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
  find_compared();
}

// Begins to find the cost of the compared variant. Does nothing if the variant's run would take too long or
// need too much memory.
void ComparedFacts::find_compared() {
  // most_cost is the largest cost() of the run. A more expensive run would delay the user's next request,
  // because that request needs the same cores.
  // most_share is the largest share of the free memory that the run may take.
  constexpr double most_cost = 1 << 20, most_share = 0.25;
  worker_->cancel();
  if (!compared_) return;
  try {
    const Settings s = with_choices_of(shown_->trace.settings, *compared_);
    if (cost(algorithm(s.algorithm), s) > most_cost ||
        recording_bytes(s) > most_share * static_cast<double>(free_memory()))
      return;
  } catch (const std::exception&) { return; }  // for example, the recording's algorithm is unknown
  worker_->begin({shown_, *compared_});
}

bool ComparedFacts::tick() {
  if (!worker_) return false;
  const auto found = worker_->take();
  if (!found) return false;
  compared_cost_ = found->cost;
  return true;
}

void ComparedFacts::wait(double seconds) {
  while (worker_ && worker_->busy() && worker_->wait(seconds)) tick();
}

}  // namespace upsweep
