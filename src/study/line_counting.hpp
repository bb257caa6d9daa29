// What the hardware counts of the recorded run, line by line: found out off the window's thread.
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

// Runs a recorded run again on this computer's GPU, with its counters. If that cannot be, returns the
// prediction and why. Throws nothing but Cancelled.
Counted count_here(const Trace& trace, Job& job);

LineCounters line_counters(const Counted& counted);

class LineCounting {
 public:
  using Count = std::function<Counted(const Trace&, Job&)>;
  // `wake` is called from another thread when tick() has something to pick up.
  LineCounting(Count count, std::function<void()> wake) : count_(std::move(count)), wake_(std::move(wake)) {}

  // Sees to it that the counters of a recording are known soon. If it is not to be counted, `why` says why.
  void follow(const std::shared_ptr<const Recording>& recording, const std::string& why);
  // Picks up what has come. True if anything changed.
  bool tick();
  // Of what was followed last; null before.
  const std::shared_ptr<const LineCounters>& shown() const { return shown_; }
  // Whether kernels run for the counters now.
  bool under_way() const { return worker_ && worker_->running(); }
  void wait(double seconds);

 private:
  using Result = std::shared_ptr<const LineCounters>;

  Count count_;
  std::function<void()> wake_;
  std::shared_ptr<const Recording> followed_;
  std::string why_;
  Result shown_;
  std::unique_ptr<Worker<std::shared_ptr<const Recording>, Result>> worker_;  // from the first count on
};

}  // namespace upsweep
