// Emulated: the same text compiled by the host compiler, one fiber per CUDA thread.
#pragma once
#include "machine/machine.hpp"

namespace upsweep {

class Emulator : public Machine {
 public:
  std::string name() const override { return "emulated"; }
  std::string device() const override { return "emulator"; }
  Trace record(const Settings& s, const std::vector<Value>& input) override;
};

}  // namespace upsweep
