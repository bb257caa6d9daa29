// The emulator runs kernels on the CPU. The host's compiler compiles the same text that a GPU runs. Each CUDA
// thread is a fiber (a coroutine with its own stack).
#pragma once
#include <cstdint>
#include <memory>

#include "catalogue/catalogue.hpp"
#include "machine/machine.hpp"

namespace upsweep {

struct Emulated;

struct EmulatorOptions {
  unsigned threads = 0;  // the number of CPU threads; 0 for as many as the computer can run at once
  // If true, blocks that cannot influence each other run apart (see apart.hpp), on all these threads. If
  // false, all blocks take turns on one thread. The recordings are the same in both cases.
  bool blocks_apart = true;
  // The approximate number of entries (see size_of()) that all blocks in focus (recorded in full) together
  // may have. If 0, the emulator chooses this number by n.
  std::uint64_t room_for_focus = 0;
};

class Emulator : public Machine {
 public:
  explicit Emulator(const EmulatorOptions& options = {});
  ~Emulator() override;
  MachineKind kind() const override { return MachineKind::emulated; }
  std::string device() const override { return "emulator"; }
  Trace record(const Settings& s, const Inputs& inputs, const RecordOptions& options = {}) override;
  Contents run_all(const Settings& s, const Inputs& inputs, Job* job = nullptr) override;
  using Machine::run;

  // Records a run of any kernel file that was compiled for the emulator (emulate() in cmake/embed.cmake). The
  // kernel file need not be registered.
  Trace record(const Algorithm& algorithm, const Emulated& kernels, const Settings& s, const Inputs& inputs,
               const RecordOptions& options = {});
  Contents run_all(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                   const Inputs& inputs, Job* job = nullptr);
  std::vector<Value> run(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                         const Inputs& inputs, Job* job = nullptr) {
    return std::move(run_all(algorithm, kernels, s, inputs, job)[0]);
  }

 private:
  void execute(const Algorithm& algorithm, const Emulated& kernels, const Settings& s, const Inputs& inputs,
               const RecordOptions& options, bool recording, Trace& trace);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
