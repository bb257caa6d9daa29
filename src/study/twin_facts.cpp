#include "study/twin_facts.hpp"

#include <algorithm>

#include "analysis/banks.hpp"
#include "analysis/memory.hpp"
#include "machine/machine.hpp"
#include "study/timing_choice.hpp"

namespace upsweep {

BlockCost block_cost(const Trace& trace) {
  BlockCost cost;
  if (trace.grids.empty()) return cost;
  const auto largest = std::max_element(trace.grids.begin(), trace.grids.end(),
                                        [](const Grid& a, const Grid& b) { return a.blocks < b.blocks; });
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

void TwinFacts::follow(const std::shared_ptr<const Recording>& shown, const std::optional<Settings>& twin) {
  if (shown == shown_ && twin == twin_) return;
  if (shown != shown_) shown_cost_ = block_cost(shown->trace);
  shown_ = shown;
  twin_ = twin;
  twin_cost_.reset();
  if (recorder_) recorder_->forget();
  constexpr int most = 1 << 15;  // elements; beyond, closing the window would have to wait for the emulator
  if (!twin || shown->trace.settings.n > most) return;
  if (!recorder_) recorder_ = std::make_unique<Recorder>(open_machine, wake_);
  // Of the settings that were recorded: those that are asked for may be ahead of them.
  recorder_->begin(
      {with_choices_of(shown->trace.settings, *twin), shown->trace.input, MachineChoice::emulated, {}});
}

bool TwinFacts::tick() {
  if (!recorder_) return false;
  const auto result = recorder_->take();
  if (!result) return false;
  if (result->recording) twin_cost_ = block_cost(result->recording->trace);
  return true;
}

void TwinFacts::wait(double seconds) {
  if (recorder_) recorder_->wait(seconds);
}

}  // namespace upsweep
