// Keeps the state of long work: its progress, and a flag that cancels the work. The thread that does the work
// and the thread that waits for the result share a Job.
#pragma once
#include <atomic>

namespace upsweep {

// Cancelled work throws this type. The type is not derived from std::exception, because code that catches
// std::exception must not treat a cancellation as a failure.
struct Cancelled {};

class Job {
 public:
  // For the waiting thread:
  void cancel() noexcept { cancelled_ = true; }
  double progress() const noexcept { return progress_; }  // from 0 to 1

  // For the working thread, which calls these functions every few milliseconds:
  void check() const {
    if (cancelled()) throw Cancelled{};
  }
  bool cancelled() const noexcept { return cancelled_; }
  void set_progress(double share) noexcept { progress_ = begin_ + (end_ - begin_) * share; }
  // Begins one part of the work. After this call, pass the progress of this part, from 0 to 1, to
  // set_progress(). During the part, progress() grows from `begin` to `end`.
  void begin_part(double begin, double end) noexcept {
    begin_ = begin;
    end_ = end;
    progress_ = begin;
  }

 private:
  double begin_ = 0, end_ = 1;  // used only by the working thread and the threads that it starts
  std::atomic<bool> cancelled_ = false;
  std::atomic<double> progress_ = 0;
};

}  // namespace upsweep
