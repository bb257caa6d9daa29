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
  std::string name() const override { return "emulated"; }
  std::string device() const override { return "emulator"; }
  Trace record(const Settings& s, const std::vector<Value>& input, const RecordOptions& options = {}) override;
  std::vector<Value> run(const Settings& s, const std::vector<Value>& input) override;

  // A launch of any kernel that was compiled for the emulator. `resident` blocks run interleaved, each from
  // barrier to barrier in turn; a finished one makes room for the next, as on a GPU with that much room.
  // `output` gives the elements of the output buffer.
  Trace record(const Algorithm& algorithm, const Emulated& kernel, const Settings& s,
               const std::vector<Value>& input, int output, int blocks = 1, int resident = 1);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
