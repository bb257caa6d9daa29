// Keeps libraries from writing to standard error.
#pragma once
#include <fcntl.h>
#include <unistd.h>

namespace upsweep {

// While a Quiet object exists, everything that the process writes to standard error is hidden. Use Quiet only
// for short calls, because the output of other threads is hidden, too.
class Quiet {
 public:
  Quiet() : before_(dup(STDERR_FILENO)) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (before_ >= 0 && nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    if (nowhere >= 0) close(nowhere);
  }
  ~Quiet() {
    if (before_ < 0) return;
    dup2(before_, STDERR_FILENO);
    close(before_);
  }
  Quiet(const Quiet&) = delete;

 private:
  int before_;
};

}  // namespace upsweep
