// A machine that takes its time, or fails, and calls itself a GPU.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "machine/emulator/emulator.hpp"

namespace upsweep {

class SlowMachine : public Machine {
 public:
  // `before` is called in the recorder's thread before every recording, with the job that it is to look at.
  explicit SlowMachine(std::function<void(Job*)> before) : before_(std::move(before)) {}
  MachineKind kind() const override { return MachineKind::gpu; }
  std::string device() const override { return "a slow one"; }
  Trace record(const Settings& s, const std::vector<Value>& input, const RecordOptions& options) override {
    before_(options.job);
    Trace trace = emulator_.record(s, input, options);
    trace.machine = MachineKind::gpu;
    return trace;
  }
  std::vector<Value> run(const Settings& s, const std::vector<Value>& input) override {
    return emulator_.run(s, input);
  }

 private:
  std::function<void(Job*)> before_;
  Emulator emulator_;
};

}  // namespace upsweep
