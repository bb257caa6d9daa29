// A machine that is slow or fails, and that claims to be a GPU.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "machine/emulator/emulator.hpp"

namespace upsweep {

class SlowMachine : public Machine {
 public:
  // Before every recording, the recording thread calls before(job). The function can check whether the job is
  // cancelled.
  explicit SlowMachine(std::function<void(Job*)> before) : before_(std::move(before)) {}
  MachineKind kind() const override { return MachineKind::gpu; }
  std::string device() const override { return "a slow one"; }
  Trace record(const Settings& s, const Inputs& inputs, const RecordOptions& options) override {
    before_(options.job);
    Trace trace = emulator_.record(s, inputs, options);
    trace.machine = MachineKind::gpu;
    return trace;
  }
  Contents run_all(const Settings& s, const Inputs& inputs, Job* = nullptr) override {
    return emulator_.run_all(s, inputs);
  }

 private:
  std::function<void(Job*)> before_;
  Emulator emulator_;
};

}  // namespace upsweep
