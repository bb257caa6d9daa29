// Declares the machines that run a kernel's text. The emulated machine is always available. A GPU can run
// with the recorder on (the traced machine) or off (the fast machine). OpenGL runs only algorithms
// that are written for OpenGL's fragment shaders. No other machine runs these algorithms.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/job.hpp"
#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/inputs.hpp"
#include "trace/trace.hpp"

namespace upsweep {

enum class MachineChoice { automatic, gpu, emulated, opengl };
inline constexpr std::string_view machine_names[] = {"auto", "gpu", "emulated", "opengl"};

inline constexpr std::uint64_t default_rounds = 10'000'000;

// The options of a recording.
struct RecordOptions {
  // Blocks [first_block, first_block + blocks) of every grid are recorded in full (are in focus). If the
  // memory is too small, the emulator records fewer blocks in full, but always `first_block`.
  //
  // The other blocks record only the events that show how blocks wait for each other: fences, and atomics and
  // volatile accesses to global memory. The totals count all blocks.
  std::uint32_t first_block = 0, blocks = 64;
  // Only for the emulator. With 0, the warps take turns, and each warp runs from barrier to barrier.
  //
  // Any other number is the seed of a schedule. A schedule is a random order that may switch between warps at
  // any access. Without `lockstep`, a schedule may also switch between lanes.
  std::uint64_t schedule = 0;
  bool lockstep = false;  // with a schedule: the lanes of a warp issue requests together, as before Volta
  // The limit for one loop. The emulator stops the run after this number of iterations of a loop, or after
  // about half this number of recorded actions in a loop. On a GPU, the limit is a time in proportion to this
  // number: 2 s for the default.
  std::uint64_t rounds = default_rounds;
  // If not null, the machine reports its progress to the job, and throws Cancelled soon after the job is
  // cancelled.
  Job* job = nullptr;
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual MachineKind kind() const = 0;
  // Returns the name of the GPU (such as "NVIDIA H200") or of OpenGL's renderer. Returns "emulator" for the
  // emulator.
  virtual std::string device() const = 0;
  // Prepares for runs with these settings, with the recorder on and off, so that these runs begin sooner. A
  // GPU compiles the kernels on all CPU cores.
  virtual void prepare(const std::vector<Settings>& /*runs*/) {}
  // Runs with the recorder on. Requires valid settings (see validate()), and an input that fills the plan's
  // first buffer (usually s.n elements).
  //
  // A run that certainly never ends is stopped soon. Any other run is stopped at the limit
  // RecordOptions::rounds. The trace of a stopped run has all events that were recorded before the stop, and
  // Trace::stopped says why the run was stopped.
  virtual Trace record(const Settings& s, const Inputs& inputs, const RecordOptions& options = {}) = 0;
  // Runs with the recorder off and returns all outputs. Throws WorkError if the run had to be stopped. If
  // `job` is cancelled, the emulator soon throws Cancelled. A GPU throws Cancelled only before the run
  // begins.
  virtual Contents run_all(const Settings& s, const Inputs& inputs, Job* job = nullptr) = 0;
  // Calls run_all(), and returns only the first output.
  std::vector<Value> run(const Settings& s, const Inputs& inputs, Job* job = nullptr) {
    return std::move(run_all(s, inputs, job)[0]);
  }
};

// Opens a machine. Throws RequestError if `choice` is `gpu` or `opengl` and this machine cannot be used. The
// error says what is missing.
std::unique_ptr<Machine> open_machine(MachineChoice choice);
// Returns the machine for an algorithm: OpenGL if the algorithm is written for shaders, else `wanted`.
MachineChoice machine_for(const Algorithm& a, MachineChoice wanted);
// Returns whether CUDA's driver finds a GPU on this computer. Looks for the GPU only once, and does not use
// it.
bool has_gpu();

// Throws RequestError if this kind of machine cannot run the algorithm's text.
void expect_language(const Algorithm& a, MachineKind kind);

// A part of the system, such as a library, that was found or not found on this computer. `upsweep doctor` and
// the window show all parts.
struct Finding {
  Message what;  // such as "CUDA driver (libcuda.so.1)"
  bool found = false;
  Message detail;       // the version and the path, or the reason why the part was not found
  Message consequence;  // the features that need the part; empty if the part was found
  // The command that installs the part. Empty if the part was found, or if no single shell command installs
  // it.
  std::string command = {};
};
std::vector<Finding> examine_machine();

}  // namespace upsweep
