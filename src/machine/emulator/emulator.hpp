// Emulated: the same text compiled by the host compiler, one fiber per CUDA thread.
#pragma once
#include <memory>

#include "catalogue/catalogue.hpp"
#include "machine/machine.hpp"

namespace upsweep {

struct Emulated;

class Emulator : public Machine {
 public:
  Emulator();
  ~Emulator() override;
  MachineKind kind() const override { return MachineKind::emulated; }
  std::string device() const override { return "emulator"; }
  Trace record(const Settings& s, const std::vector<Value>& input,
               const RecordOptions& options = {}) override;
  std::vector<Value> run(const Settings& s, const std::vector<Value>& input) override;

  // The same for any file of kernels that was compiled for the emulator (emulate() in cmake/embed.cmake),
  // registered or not.
  Trace record(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
               const std::vector<Value>& input, const RecordOptions& options = {});
  std::vector<Value> run(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                         const std::vector<Value>& input);

 private:
  void execute(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
               const std::vector<Value>& input, const RecordOptions& options, bool recording, Trace& trace);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
