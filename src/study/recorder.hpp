// Runs recordings off the window's thread. The emulator is quick enough to answer at once; a GPU compiles
// first.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "machine/machine.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

struct RecordingOrder {
  Settings settings;
  std::vector<Value> input;
  MachineChoice machine = MachineChoice::automatic;
  RecordOptions options;
};

struct RecordingResult {
  RecordingOrder order;
  std::shared_ptr<const Recording> recording;  // null where it failed
  std::string error;                           // the sentence why
};

class Recorder {
 public:
  using Opener = std::function<std::unique_ptr<Machine>(MachineChoice)>;

  // `wake` is called from the worker's thread whenever a result has come.
  Recorder(Opener open, std::function<void()> wake);
  ~Recorder();  // waits for the recording under way
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Records in the caller's thread, if the machine is known to be the emulator and has little to do; else
  // nothing, and begin() is to be used.
  std::optional<RecordingResult> at_once(const RecordingOrder& order);
  // Records on the emulator in the caller's thread, whatever machine is asked for.
  RecordingResult emulated(const RecordingOrder& order);
  // Begins in the worker's thread. An order that waits behind the one under way is replaced by a newer one.
  void begin(RecordingOrder order);
  // The result that has come, once; results overtaken by a newer order are thrown away.
  std::optional<RecordingResult> take();
  // Whatever is under way or has come is no longer wanted.
  void forget();
  // Waits until nothing is under way, at most so many seconds.
  void wait(double seconds);
  bool busy() const;

 private:
  enum class Caller { window, worker };
  Machine& machine(MachineChoice choice, Caller caller);
  RecordingResult run(const RecordingOrder& order, MachineChoice choice, Caller caller);
  void work();

  Opener open_;
  std::function<void()> wake_;
  std::unique_ptr<Machine> emulator_, worker_emulator_, automatic_, gpu_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<RecordingOrder> waiting_;
  std::optional<RecordingResult> done_;
  bool running_ = false, overtaken_ = false, stop_ = false;
  bool automatic_is_emulator_ = false;  // found out by the worker
  std::thread worker_;
};

}  // namespace upsweep
