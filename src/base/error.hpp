// The one error policy: whatever goes wrong is thrown as a sentence that says what was wrong and
// what would be right. main() prints it and turns it into the exit code.
#pragma once
#include <stdexcept>
#include <string>

namespace upsweep {

// The work failed: a device was lost, a file could not be written. Exit code 1.
struct WorkError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The request made no sense: an unknown name, a size out of range, an unreadable input. Exit code 2.
struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace upsweep
