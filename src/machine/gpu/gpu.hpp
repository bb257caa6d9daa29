// The traced and the fast machine run the kernel's text on a GPU. They open NVRTC and the driver API by name.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "machine/machine.hpp"

namespace upsweep {

class Gpu : public Machine {
 public:
  Gpu();  // Throws RequestError, which says what is missing.
  ~Gpu() override;
  MachineKind kind() const override { return MachineKind::gpu; }
  std::string device() const override;

  void prepare(const std::vector<Settings>& runs) override;
  // These functions throw WorkError if the text does not compile or the GPU fails, and RequestError if the
  // settings need more than the GPU has.
  Trace record(const Settings& s, const std::vector<Value>& input,
               const RecordOptions& options = {}) override;
  // The fast machine: runs with the recorder off and returns the output. A kernel that may hang is recorded
  // first, because only a recording can be stopped.
  std::vector<Value> run(const Settings& s, const std::vector<Value>& input, Job* job = nullptr) override;

  // Records any algorithm, registered or not.
  Trace record(const Algorithm& algorithm, const Settings& s, const std::vector<Value>& input,
               const RecordOptions& options = {});
  std::vector<Value> run(const Algorithm& algorithm, const Settings& s, const std::vector<Value>& input);
  // Fills the memory as run() does before its launches. The hardware counters include this work, so counted()
  // measures it separately.
  void fill(const Algorithm& algorithm, const Settings& s, const std::vector<Value>& input);

  // Runs on the fast machine with delays at the places where blocks wait for each other; `seed` decides the
  // delays. Throws WorkError if the run has not ended after 10 s. Then only the end of this process can end
  // it.
  std::vector<Value> run_delayed(const Settings& s, const std::vector<Value>& input, std::uint32_t seed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
