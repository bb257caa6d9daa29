// How far a piece of long work has come, and whether it is still wanted: shared by the thread that does the
// work and the one that waits for it.
#pragma once
#include <atomic>

namespace upsweep {

// Thrown out of work that is no longer wanted. Not a std::exception, so that nothing takes it for a failure.
struct Cancelled {};

class Job {
 public:
  // Of the waiting thread.
  void cancel() noexcept { cancelled_ = true; }
  double progress() const noexcept { return progress_; }  // 0 to 1

  // Of the working thread, every few milliseconds.
  void check() const {
    if (cancelled()) throw Cancelled{};
  }
  bool cancelled() const noexcept { return cancelled_; }
  void set_progress(double share) noexcept { progress_ = share; }

 private:
  std::atomic<bool> cancelled_ = false;
  std::atomic<double> progress_ = 0;
};

}  // namespace upsweep
