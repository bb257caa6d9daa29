// What the hardware counts of the recorded run, line by line: found out off the window's thread.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "machine/gpu/counted.hpp"
#include "scene/views/line_counters.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Runs a recorded run again on this computer's GPU, with its counters. Where that cannot be it gives the
// prediction and why. Throws nothing.
Counted count_here(const Trace& trace);

LineCounters line_counters(const Counted& counted);

class LineCounting {
 public:
  using Count = std::function<Counted(const Trace&)>;
  // `wake` is called from another thread when tick() has something to pick up.
  LineCounting(Count count, std::function<void()> wake) : count_(std::move(count)), wake_(std::move(wake)) {}

  // Sees to it that the counters of a recording are known soon; where it is not to be counted, `why`.
  void follow(const std::shared_ptr<const Recording>& recording, const std::string& why);
  // Picks up what has come. True if anything changed.
  bool tick();
  // Of what was followed last; null before.
  const std::shared_ptr<const LineCounters>& shown() const { return shown_; }
  bool under_way() const { return work_ != nullptr; }
  void wait(double seconds);

 private:
  struct Work;
  void begin();

  Count count_;
  std::function<void()> wake_;
  std::shared_ptr<const Recording> followed_;
  std::string why_;
  std::shared_ptr<const LineCounters> shown_;
  std::shared_ptr<Work> work_;  // under way
  std::jthread thread_;         // last: it ends before what it uses
};

}  // namespace upsweep
