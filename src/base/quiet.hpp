// Keeps libraries from writing to standard error.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <atomic>

namespace upsweep {

// While a Quiet object exists, everything that the process writes to standard error is hidden. Use Quiet only
// for short calls, because the output of other threads is hidden, too.
class Quiet {
 public:
  Quiet() : before_(dup(STDERR_FILENO)) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (before_ >= 0 && nowhere >= 0) {
      visible_ = before_;
      dup2(nowhere, STDERR_FILENO);
    }
    if (nowhere >= 0) close(nowhere);
  }
  ~Quiet() {
    if (before_ < 0) return;
    dup2(before_, STDERR_FILENO);
    visible_ = STDERR_FILENO;
    close(before_);
  }
  Quiet(const Quiet&) = delete;
  // Returns the file descriptor of the standard error that the user sees, even while a Quiet object exists. A
  // signal handler may call this function.
  static int visible() { return visible_; }

 private:
  int before_;
  static inline std::atomic<int> visible_ = STDERR_FILENO;
};

}  // namespace upsweep
