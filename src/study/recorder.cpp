#include "study/recorder.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "study/recording.hpp"
#include "trace/stamp.hpp"
#include "words/in_words.hpp"

namespace upsweep {

Recorder::Recorder(Opener open, std::function<void()> wake)
    : open_(std::move(open)), wake_(std::move(wake)), worker_([this] { work(); }) {}

Recorder::~Recorder() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

// The window's thread has an emulator of its own, all others belong to the worker's.
Machine& Recorder::machine(MachineChoice choice, Caller caller) {
  auto& slot = caller == Caller::window            ? emulator_
               : choice == MachineChoice::emulated ? worker_emulator_
               : choice == MachineChoice::gpu      ? gpu_
                                                   : automatic_;
  if (!slot) slot = open_(choice);
  return *slot;
}

RecordingResult Recorder::run(const RecordingOrder& order, MachineChoice choice, Caller caller) {
  RecordingResult result{order, nullptr, {}};
  try {
    Trace trace = machine(choice, caller).record(order.settings, order.input, order.options);
    stamp(trace);
    result.recording = std::make_shared<const Recording>(make_recording(std::move(trace)));
    result.recording->find_hazards();
  } catch (const std::exception& e) { result.error = in_words(e); }
  return result;
}

std::optional<RecordingResult> Recorder::at_once(const RecordingOrder& order) {
  constexpr int most = 1 << 15;  // elements that the emulator records before anyone notices
  if (order.settings.n > most) return {};
  {
    std::lock_guard lock(mutex_);
    const bool known = order.machine == MachineChoice::emulated ||
                       (order.machine == MachineChoice::automatic && automatic_is_emulator_);
    if (!known) return {};
  }
  forget();
  return emulated(order);
}

void Recorder::forget() {
  std::lock_guard lock(mutex_);
  waiting_.reset();
  done_.reset();
  overtaken_ = running_;
}

RecordingResult Recorder::emulated(const RecordingOrder& order) {
  return run(order, MachineChoice::emulated, Caller::window);
}

void Recorder::begin(RecordingOrder order) {
  {
    std::lock_guard lock(mutex_);
    waiting_ = std::move(order);
    done_.reset();
  }
  changed_.notify_all();
}

std::optional<RecordingResult> Recorder::take() {
  std::lock_guard lock(mutex_);
  return std::exchange(done_, {});
}

void Recorder::wait(double seconds) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !running_ && !waiting_; });
}

bool Recorder::busy() const {
  std::lock_guard lock(mutex_);
  return running_ || waiting_;
}

void Recorder::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || waiting_; });
    if (stop_) break;
    const RecordingOrder order = *std::exchange(waiting_, {});
    running_ = true;
    overtaken_ = false;
    lock.unlock();
    RecordingResult result = run(order, order.machine, Caller::worker);
    lock.lock();
    running_ = false;
    if (order.machine == MachineChoice::automatic && result.recording)
      automatic_is_emulator_ = result.recording->trace.machine == MachineKind::emulated;
    if (!waiting_ && !overtaken_) done_ = std::move(result);
    changed_.notify_all();
    if (wake_) wake_();
  }
  automatic_.reset();  // where they were opened: a GPU's context belongs to its thread
  gpu_.reset();
}

}  // namespace upsweep
