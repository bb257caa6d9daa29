// Runs kernels on a GPU, with the recorder on (the traced machine) or off (the fast machine). NVRTC and the
// driver's library are opened by name at run time.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "machine/machine.hpp"

namespace upsweep {

class Gpu : public Machine {
 public:
  Gpu();  // throws RequestError if no GPU can be used; the error says what is missing
  ~Gpu() override;
  MachineKind kind() const override { return MachineKind::gpu; }
  std::string device() const override;

  void prepare(const std::vector<Settings>& runs) override;
  // These functions throw WorkError if the text does not compile or the GPU fails. They throw RequestError if
  // this GPU cannot run the settings, for example because a block needs too much shared memory.
  Trace record(const Settings& s, const Inputs& inputs, const RecordOptions& options = {}) override;
  // Runs with the recorder off and returns the outputs. If the kernel might never end, first runs the kernel
  // with the recorder on, because only a recorded run can be stopped.
  Contents run_all(const Settings& s, const Inputs& inputs, Job* job = nullptr) override;
  using Machine::run;

  // Records a run of any algorithm. The algorithm need not be registered.
  Trace record(const Algorithm& algorithm, const Settings& s, const Inputs& inputs,
               const RecordOptions& options = {});
  Contents run_all(const Algorithm& algorithm, const Settings& s, const Inputs& inputs);
  std::vector<Value> run(const Algorithm& algorithm, const Settings& s, const Inputs& inputs) {
    return std::move(run_all(algorithm, s, inputs)[0]);
  }
  // Fills the memory in the same way as run() does before its launches. The hardware counters of a run
  // include this work, so counted() measures fill() separately and subtracts its counts.
  void fill(const Algorithm& algorithm, const Settings& s, const Inputs& inputs);

  // Runs with the recorder off, and with delays at the places where blocks wait for each other. `seed`
  // decides the lengths of the delays. Throws WorkError if the run has not ended after 10 s. In this case,
  // the run continues until this process ends.
  std::vector<Value> run_delayed(const Settings& s, const Inputs& inputs, std::uint32_t seed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
