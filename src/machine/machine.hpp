// The machines that run a kernel's text: emulated (fibers, always there), traced and fast (a GPU, found at
// run time).
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/job.hpp"
#include "base/message.hpp"
#include "trace/trace.hpp"

namespace upsweep {

enum class MachineChoice { automatic, gpu, emulated };

// How a run is recorded.
struct RecordOptions {
  // Blocks [first_block, first_block + blocks) of every grid are recorded in full; of the others volatile
  // accesses, atomics and fences, which say how blocks wait for each other. All count in the totals.
  std::uint32_t first_block = 0, blocks = 64;
  // Emulator: 0 runs warps in turn from barrier to barrier; any other number is a schedule of its own, drawn
  // from it, in which warps (and, unless in lockstep, single lanes) take over from each other at any access.
  std::uint64_t schedule = 0;
  bool lockstep = false;  // emulator, with a schedule: lanes of a warp issue together, as before Volta
  // If given: the machine reports its progress there, and throws Cancelled soon after the job is cancelled.
  Job* job = nullptr;
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual MachineKind kind() const = 0;
  virtual std::string device() const = 0;  // "NVIDIA H200" or "emulator"
  // Runs with the recorder on. `s` is valid (see validate()) and input has s.n elements. A run that never
  // ends is stopped within a second of becoming hopeless; what it did until then is recorded
  // (Trace::stopped).
  virtual Trace record(const Settings& s, const std::vector<Value>& input,
                       const RecordOptions& options = {}) = 0;
  // Runs with the recorder off; gives the output alone. Throws WorkError if the run had to be stopped.
  virtual std::vector<Value> run(const Settings& s, const std::vector<Value>& input) = 0;
};

// Throws RequestError where a GPU is asked for and none can be used, saying what is missing.
std::unique_ptr<Machine> open_machine(MachineChoice choice);

// What was found on this computer, what was not, and what follows: for `upsweep doctor` and the window.
struct Finding {
  Message what;  // "CUDA driver (libcuda.so.1)"
  bool found = false;
  Message detail;            // version and path, or why not
  Message consequence;       // what its absence costs; none if found
  std::string command = {};  // installs it; empty if found, or if no single shell command does
};
std::vector<Finding> examine_machine();

}  // namespace upsweep
