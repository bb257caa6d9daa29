#include "study/recorder.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/inputs.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "study/recording.hpp"
#include "study/shipped.hpp"
#include "trace/provenance.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// The progress of a recording, from 0 to 1: `numbers_made` when the input is ready, and `recorded` when the
// kernel has run. The analysis of the trace is the rest of the work.
constexpr double numbers_made = 0.1, recorded = 0.85;

std::vector<Value> numbers_of(const RecordingOrder& order, Settings& s, Job& job) {
  if (order.data.kind != DataSource::Kind::recorded) return load(order.data, s, &job);
  const std::vector<Value>& all = order.numbers->trace.input;
  return {all.begin(), all.begin() + s.n};
}

// Makes recordings. All calls must come from the worker's thread, because the GPU's context belongs to this
// thread.
class Recordist {
 public:
  explicit Recordist(Recorder::Opener open) : open_(std::move(open)) {}

  RecordingResult operator()(RecordingOrder order, Job& job) {
    RecordingResult result;
    try {
      Trace trace = order.file.empty() ? run(order, job, result.notice) : open_recording(order.file);
      job.begin_part(recorded, 1);
      Recording made = make_recording(std::move(trace), &job);
      made.is_opened = !order.file.empty();
      result.recording = std::make_shared<const Recording>(std::move(made));
      result.recording->prepare(&job, false);
      // The hazards of a small recording are found before the recording is shown. So the view "Hazards" need
      // not wait.
      constexpr std::size_t few_lanes = 1 << 15;
      if (result.recording->trace.lanes.size() <= few_lanes) result.recording->find_hazards(&job);
    } catch (const std::bad_alloc&) {
      result.error = order.file.empty()
                         ? tr("There is not enough memory to record n = {}: choose a smaller n.",
                              grouped(order.settings.n))
                         : tr("There is not enough memory to open {}.", order.file);
    } catch (const std::exception& e) { result.error = in_words(e); }
    result.order = std::move(order);
    return result;
  }

 private:
  Trace run(RecordingOrder& order, Job& job, std::string& notice) {
    job.begin_part(0, numbers_made);
    std::vector<Value> input = numbers_of(order, order.settings, job);
    if (order.complete) order.complete(order.settings);
    expect_input(algorithm(order.settings.algorithm), order.settings, input);
    job.check();
    job.begin_part(numbers_made, recorded);
    order.options.job = &job;
    Trace trace = record(order, input, notice);
    order.options.job = nullptr;
    add_provenance(trace);
    return trace;
  }

  // Returns `input`. If the data come from a recording, and if this recording has the same algorithm and the
  // same number of elements, also returns the other inputs of the recording.
  static Inputs inputs_of(const RecordingOrder& order, const std::vector<Value>& input) {
    if (order.data.kind != DataSource::Kind::recorded) return input;
    const Trace& from = order.numbers->trace;
    const bool same =
        from.settings.algorithm == order.settings.algorithm && from.input.size() == input.size();
    return same ? Inputs(input, from.more_inputs) : Inputs(input);
  }

  Trace record(RecordingOrder& order, const std::vector<Value>& input, std::string& notice) {
    const Inputs inputs = inputs_of(order, input);
    try {
      const MachineChoice choice = machine_for(algorithm(order.settings.algorithm), order.machine);
      return machine(choice).record(order.settings, inputs, order.options);
    } catch (const LostGpu& e) {
      automatic_.reset();
      gpu_.reset();
      gpu_is_lost_ = true;
      notice = tr("The GPU was lost, so the emulator ran the kernel. {}", in_words(e));
    }
    order.machine = MachineChoice::emulated;
    return machine(order.machine).record(order.settings, inputs, order.options);
  }

  Machine& machine(MachineChoice choice) {
    if (gpu_is_lost_ && choice == MachineChoice::gpu)
      throw WorkError(tr("The GPU was lost: start Upsweep again to use the GPU."));
    if (gpu_is_lost_ && choice == MachineChoice::automatic) choice = MachineChoice::emulated;
    auto& slot = choice == MachineChoice::emulated ? emulator_
                 : choice == MachineChoice::gpu    ? gpu_
                 : choice == MachineChoice::opengl ? opengl_
                                                   : automatic_;
    if (!slot) slot = open_(choice);
    return *slot;
  }

  Recorder::Opener open_;
  std::unique_ptr<Machine> emulator_, automatic_, gpu_, opengl_;
  bool gpu_is_lost_ = false;
};

}  // namespace

Recorder::Recorder(Opener open, std::function<void()> wake)
    : worker_([recordist = std::make_shared<Recordist>(std::move(open))](
                  RecordingOrder order, Job& job) { return (*recordist)(std::move(order), job); },
              std::move(wake)) {}

}  // namespace upsweep
