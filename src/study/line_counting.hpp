// Counts what each source line of a recorded run costs, with the GPU's hardware counters. For the counting,
// the run is repeated in a thread other than the window's thread.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "analysis/recording.hpp"
#include "machine/gpu/counted.hpp"
#include "scene/views/line_counters.hpp"
#include "study/worker.hpp"

namespace upsweep {

// Repeats a recorded run on this computer's GPU, and returns what the hardware counters count for each line.
// If the counters cannot be used, returns the predicted counts and the reason. Throws only Cancelled.
Counted count_here(const Trace& trace, Job& job);

LineCounters line_counters(const Counted& counted);

class LineCounting {
 public:
  using Count = std::function<Counted(const Trace&, Job&)>;
  // `wake` is called from another thread when tick() can pick up a result.
  LineCounting(Count count, std::function<void()> wake) : count_(std::move(count)), wake_(std::move(wake)) {}

  // Begins to repeat the run of a recording, and to count. If `why` is not empty, counts nothing, and shows
  // `why` as the reason.
  void follow(const std::shared_ptr<const Recording>& recording, const std::string& why);
  // Picks up new counts from the other thread. Returns true if there were new counts.
  bool tick();
  // The counts for the latest call of follow(); null before the first call.
  const std::shared_ptr<const LineCounters>& shown() const { return shown_; }
  // Returns whether the GPU is repeating a run for the counters now.
  bool under_way() const { return worker_ && worker_->running(); }
  void wait(double seconds);

 private:
  using Result = std::shared_ptr<const LineCounters>;

  Count count_;
  std::function<void()> wake_;
  std::shared_ptr<const Recording> followed_;
  std::string why_;
  Result shown_;
  std::unique_ptr<Worker<std::shared_ptr<const Recording>, Result>> worker_;  // null until the first count
};

}  // namespace upsweep
