// Traced and fast: the kernel's text through NVRTC and the driver API, both opened by name when they are
// there.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "machine/machine.hpp"

namespace upsweep {

class Gpu : public Machine {
 public:
  Gpu();  // Throws RequestError saying what is missing.
  ~Gpu() override;
  MachineKind kind() const override { return MachineKind::gpu; }
  std::string device() const override;

  // Throw WorkError if the text does not compile or the GPU fails, RequestError if the settings ask for more
  // than the GPU has.
  Trace record(const Settings& s, const std::vector<Value>& input,
               const RecordOptions& options = {}) override;
  // The fast machine: recorder off; gives the output alone. What is known to be able to hang is recorded
  // first, since nothing could stop it here.
  std::vector<Value> run(const Settings& s, const std::vector<Value>& input) override;

  // The same for any algorithm, registered or not.
  Trace record(const Algorithm& algorithm, const Settings& s, const std::vector<Value>& input,
               const RecordOptions& options = {});
  std::vector<Value> run(const Algorithm& algorithm, const Settings& s, const std::vector<Value>& input);
  // What run() does before its launches: fills the memory, which on a GPU is work like any other.
  void fill(const Algorithm& algorithm, const Settings& s, const std::vector<Value>& input);

  // The fast machine with delays, drawn from `seed`, where blocks wait for each other. Throws WorkError if it
  // has not ended after 10 s; nothing can end it then but the end of this process.
  std::vector<Value> run_delayed(const Settings& s, const std::vector<Value>& input, std::uint32_t seed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
