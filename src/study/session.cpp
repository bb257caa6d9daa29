#include "study/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "study/recording.hpp"
#include "study/shipped.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

// How often this phase and stride came before `step`: a stride of a Brent-Kung reverse phase is not that of
// its reduction.
int earlier_likes(const std::vector<Step>& steps, int step) {
  return static_cast<int>(
      std::count(steps.begin(), steps.begin() + step, steps[static_cast<std::size_t>(step)]));
}

TimingDesk::Start with_wake(TimingDesk::Start start, const std::function<void()>& wake) {
  start.wake = wake;
  return start;
}

}  // namespace

Session::Session(Start start)
    : timing(with_wake(std::move(start.timing), start.wake)),
      recorder_(std::move(start.open), start.wake),
      settings_(start.settings),
      data_(start.data),
      machine_(start.machine),
      wanted_layout_(start.settings.layout),
      wanted_pattern_(start.settings.load_pattern),
      wanted_variants_(start.settings.variants),
      n_chosen_(start.settings.n != Settings{}.n),
      twin_facts_(start.wake),
      line_counting_(std::move(start.count), start.wake) {
  if (timing.sources().empty()) looks.timing = 0;  // what has nothing to show takes no room by itself
  if (start.opened) {
    const auto algorithm = algorithm_of(start.opened->trace);
    opened_ = {std::move(start.opened_name), std::move(start.opened), algorithm};
    show_opened();
    begin_at(start.step);
    return;
  }
  if (!decides_n(data_)) validate(settings_);
  std::vector<Value> input = load(data_, settings_);
  validate(settings_);
  RecordingOrder order{settings_, std::move(input), machine_, {}};
  auto result = recorder_.at_once(order);
  if (!result) {
    recorder_.begin(order);
    recorder_.wait(start.patience);
    result = recorder_.take();
  }
  if (!result) {
    pending_ = true;
    result = recorder_.emulated(order);
  }
  if (!result->recording &&
      machine_ != MachineChoice::emulated) {  // no such machine: the emulator stands in, the sentence stays
    error_ = result->error;
    machine_ = order.machine = MachineChoice::emulated;
    result = recorder_.emulated(order);
  }
  if (!result->recording) throw WorkError(result->error);
  show(std::move(*result));
  begin_at(start.step);
}

void Session::begin_at(int step) {
  if (step < 0 || step >= step_count())
    throw RequestError(
        fmt::format("There is no step {}; this recording has steps 0 to {}.", step, step_count() - 1));
  cursor_.step = step;
}

const Algorithm& Session::algorithm() const {
  return of_opened_ ? *opened_.algorithm : upsweep::algorithm(settings_.algorithm);
}

void Session::open(const std::string& name) {
  try {
    if (name.ends_with(timings_extension)) {
      timing.open(name);
      return show_timing();
    }
    auto recording = std::make_shared<const Recording>(make_recording(open_recording(name)));
    recording->find_hazards();
    auto algorithm = algorithm_of(recording->trace);
    opened_ = {std::filesystem::path(name).filename().string(), std::move(recording), std::move(algorithm)};
    show_opened();
  } catch (const std::bad_alloc&) {
    error_ = fmt::format("There is not enough memory for the recording {}.", name);
  } catch (const std::exception& e) { error_ = in_words(e); }
}

void Session::show_opened() {
  if (!opened_) return;
  recorder_.forget();
  pending_ = false;
  error_.clear();
  settings_ = opened_.recording->trace.settings;
  data_ = {DataSource::Kind::recorded, data_.seed, {}};
  of_opened_ = true;
  if (algorithm().layouts) wanted_layout_ = settings_.layout;
  if (algorithm().load_patterns) wanted_pattern_ = settings_.load_pattern;
  for (const auto& [variant, choice] : settings_.variants) wanted_variants_[variant] = choice;
  n_chosen_ = true;
  show({{settings_, {}, machine_, {}}, opened_.recording, {}});
}

bool Session::tick(double seconds) {
  bool changed = tick_timing();
  if (auto result = recorder_.take()) {
    pending_ = false;
    show(std::move(*result));
    changed = true;
  }
  if (!playing_) return changed;
  played_ += seconds;
  while (playing_ && played_ >= 1 / speed_) {
    const double left = played_ - 1 / speed_;
    playing_ = step_by(+1) && cursor_.step < step_count() - 1;
    played_ = left;
    changed = true;
  }
  return changed;
}

void Session::settle(double seconds) {
  recorder_.wait(seconds);
  twin_facts_.wait(seconds);
  line_counting_.wait(seconds);
  tick(0);
}

// Where the reader stands, found again in another recording: the same phase and stride, else the same phase,
// else as far in.
int Session::same_place_in(const Recording& next) const {
  const auto& old_steps = recording_->trace.steps;
  const auto& steps = next.trace.steps;
  const Step here = step();
  const int count = static_cast<int>(steps.size());
  int likes = earlier_likes(old_steps, cursor_.step);
  int same_phase = -1;
  for (int i = 0; i < count; ++i) {
    if (steps[static_cast<std::size_t>(i)] == here && likes-- == 0) return i;
    if (same_phase < 0 && steps[static_cast<std::size_t>(i)].phase == here.phase) same_phase = i;
  }
  return same_phase >= 0 ? same_phase : std::min(cursor_.step, count - 1);
}

void Session::show(RecordingResult result) {
  if (!result.recording) {
    error_ = result.error;
    settings_ = shown_settings_;
    data_ = shown_data_;
    machine_ = shown_machine_;
    of_opened_ = shows_opened();
    if (algorithm().layouts) wanted_layout_ = settings_.layout;
    return;
  }
  Cursor next;
  if (recording_) {
    next = cursor_;
    next.step = same_place_in(*result.recording);
    next.hover = {};
    const Settings& before = shown_settings_;
    const Settings& now = result.order.settings;
    if (before.n != now.n || before.algorithm != now.algorithm)
      next.first_element = next.element_count = next.first_line = 0;
    if (before.algorithm != now.algorithm) wanted_block_ = 0;
  }
  next.block = block_in(result.recording->trace, next.step);
  const bool same_request =
      recording_ && result.recording->trace.steps.at(static_cast<std::size_t>(next.step)) == step();
  recording_ = std::move(result.recording);
  cursor_ = next;
  if (recording_->trace.stopped && error_.empty()) error_ = in_words(recording_->trace.stopped);
  if (!same_request || cursor_.request >= static_cast<int>(requests_of(cursor_.step).size()))
    cursor_.request = -1;
  shown_settings_ = settings_;
  shown_data_ = data_;
  shown_machine_ = machine_;
}

}  // namespace upsweep
