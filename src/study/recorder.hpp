// Makes recordings in a thread other than the window's. A recording comes from a run of a kernel, or from a
// file.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/recording.hpp"
#include "machine/machine.hpp"
#include "study/data_source.hpp"
#include "study/worker.hpp"

namespace upsweep {

struct RecordingOrder {
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  RecordOptions options{};  // must contain no job, because the recorder adds its own job
  // The data are the first settings.n numbers of this recording. Null if the data have another source.
  std::shared_ptr<const Recording> numbers{};
  // The name of a file, or of a recording that comes with the program. If the name is not empty, the recorder
  // reads this recording instead of running a kernel.
  std::string file{};
  // If the data decide n, n is unknown until the data are read. In this case, this function completes and
  // checks the settings after the reading. The function throws RequestError if the settings are impossible.
  std::function<void(Settings&)> complete{};
};

struct RecordingResult {
  // Has the settings of the run. `order.machine` is `emulated` if the GPU was lost during this run.
  RecordingOrder order;
  std::shared_ptr<const Recording> recording;  // null if the recording failed
  std::string error;                           // a sentence that says why the recording failed
  std::string notice;  // another useful message, for example that another machine was used
};

class Recorder {
 public:
  using Opener = std::function<std::unique_ptr<Machine>(MachineChoice)>;

  // `wake` is called from the worker's thread when a result has come.
  Recorder(Opener open, std::function<void()> wake);

  // A new order replaces the previous order (see Worker). Only wait() waits; the other functions return
  // immediately.
  void begin(RecordingOrder order) { worker_.begin(std::move(order)); }
  void cancel() { worker_.cancel(); }
  std::optional<RecordingResult> take() { return worker_.take(); }
  bool busy() const { return worker_.busy(); }
  bool running() const { return worker_.running(); }
  // Returns the progress from 0 to 1, over all of the work: input data, run and analysis.
  double progress() const { return worker_.progress(); }
  // Waits at most this many seconds for the result of the newest order. Returns false if the result takes
  // longer.
  bool wait(double seconds) { return worker_.wait(seconds); }

 private:
  Worker<RecordingOrder, RecordingResult> worker_;
};

}  // namespace upsweep
