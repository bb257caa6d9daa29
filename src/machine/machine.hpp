// The machines that run a kernel's text: the emulated machine (fibers, always available), and the traced and
// the fast machine (a GPU, found at run time).
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

inline constexpr std::uint64_t default_rounds = 10'000'000;

// The options of a recording.
struct RecordOptions {
  // Blocks [first_block, first_block + blocks) of every grid are recorded in full. For the other blocks only
  // volatile accesses, atomics and fences are recorded, which show how blocks wait for each other. All blocks
  // count in the totals.
  std::uint32_t first_block = 0, blocks = 64;
  // Emulator: with 0, warps run in turn from barrier to barrier. Any other number is the seed of a schedule,
  // in which warps (and single lanes, unless `lockstep` is set) take over from each other at any access.
  std::uint64_t schedule = 0;
  bool lockstep = false;  // emulator, with a schedule: the lanes of a warp issue together, as before Volta
  // The run is stopped when a loop has had this many rounds, or when the run has recorded half as many
  // accesses within one loop. Without it, a loop that does not end would never be stopped.
  std::uint64_t rounds = default_rounds;
  // If given: the machine reports its progress there, and throws Cancelled soon after the job is cancelled.
  Job* job = nullptr;
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual MachineKind kind() const = 0;
  virtual std::string device() const = 0;  // "NVIDIA H200" or "emulator"
  // Prepares for runs with these settings, with the recorder on and off, so that they begin sooner: a GPU's
  // kernels are compiled on all cores.
  virtual void prepare(const std::vector<Settings>& /*runs*/) {}
  // Runs with the recorder on. `s` must be valid (see validate()), and the input must have s.n elements. A
  // run that never ends is stopped: soon if it certainly never ends, else after RecordOptions::rounds.
  // Everything until then is recorded (Trace::stopped).
  virtual Trace record(const Settings& s, const std::vector<Value>& input,
                       const RecordOptions& options = {}) = 0;
  // Runs with the recorder off and returns the output. Throws WorkError if the run had to be stopped. If a
  // job is given, an emulator throws Cancelled soon after it is cancelled; a GPU does so before it begins.
  virtual std::vector<Value> run(const Settings& s, const std::vector<Value>& input, Job* job = nullptr) = 0;
};

// Opens a machine. Throws RequestError if a GPU is asked for and none can be used; the message says what is
// missing.
std::unique_ptr<Machine> open_machine(MachineChoice choice);

// A part that was found or not found on this computer, and the consequence, for `upsweep doctor` and the
// window.
struct Finding {
  Message what;  // "CUDA driver (libcuda.so.1)"
  bool found = false;
  Message detail;       // version and path, or why not
  Message consequence;  // what its absence costs; none if found
  // The command that installs it; empty if it was found, or if no single shell command installs it.
  std::string command = {};
};
std::vector<Finding> examine_machine();

}  // namespace upsweep
