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
  void set_progress(double share) noexcept { progress_ = begin_ + (end_ - begin_) * share; }
  // Work in several parts: from now on 0 to 1 is reported as `begin` to `end`.
  void begin_part(double begin, double end) noexcept {
    begin_ = begin;
    end_ = end;
    progress_ = begin;
  }

 private:
  double begin_ = 0, end_ = 1;  // of the working thread, and those that it starts
  std::atomic<bool> cancelled_ = false;
  std::atomic<double> progress_ = 0;
};

}  // namespace upsweep
