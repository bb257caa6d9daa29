// The machines that run a kernel's text: emulated (fibers, always there), traced and fast (a GPU, found at run time).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

enum class MachineChoice { automatic, gpu, emulated };

class Machine {
 public:
  virtual ~Machine() = default;
  virtual std::string name() const = 0;    // "gpu" or "emulated"
  virtual std::string device() const = 0;  // "NVIDIA H200" or "emulator"
  // Runs with the recorder on. `s` is valid (see validate()) and input has s.n elements.
  virtual Trace record(const Settings& s, const std::vector<Value>& input) = 0;
};

// Throws RequestError where a GPU is asked for and none can be used, saying what is missing.
std::unique_ptr<Machine> open_machine(MachineChoice choice);

// What was found on this computer, what was not, and what follows: for `upsweep doctor` and the window.
struct Finding {
  std::string what;         // "CUDA driver (libcuda.so.1)"
  bool found = false;
  std::string detail;       // version and path, or why not
  std::string consequence;  // what its absence costs; empty if found
};
std::vector<Finding> examine_machine();

}  // namespace upsweep
