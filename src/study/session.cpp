#include "study/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "analysis/memory.hpp"
#include "analysis/time_line.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "scene/views/image_look.hpp"
#include "study/intention.hpp"
#include "study/recording.hpp"
#include "study/state_text.hpp"
#include "study/teaching.hpp"
#include "study/timing_source.hpp"
#include "words/hidden_answer.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double for_ever = 1e9;  // seconds

// Returns how many steps before `step` have the same phase and stride as `step`.
int earlier_likes(const std::vector<Step>& steps, int step) {
  return static_cast<int>(
      std::count(steps.begin(), steps.begin() + step, steps[static_cast<std::size_t>(step)]));
}

TimingModel::Start with_wake(TimingModel::Start start, const std::function<void()>& wake) {
  start.wake = wake;
  return start;
}

}  // namespace

Session::Session(Start start)
    : timing(with_wake(std::move(start.timing), start.wake)),
      moment_(start.moment),
      free_memory_(start.free_memory),
      wake_(start.wake),
      open_(start.open),
      wanted_{start.settings,         start.data,
              start.machine,          false,
              start.settings.choices, start.n_chosen && start.settings.n != Settings{}.n,
              start.block_chosen,     0},
      recorder_(start.open, start.wake),
      compared_facts_(start.wake),
      line_counting_(std::move(start.count), start.wake),
      questioning_(start.wake),
      view_finder_(start.wake),
      changed_finder_(start.wake),
      lens_drawing_(std::move(start.open_lens), start.wake) {
  const Unremembered beginning_is_no_intention(*this);
  if (timing.sources().empty()) looks.timing = 0;  // without times, the panel of times is hidden
  if (start.opened) {
    const auto algorithm = algorithm_of(start.opened->trace);
    opened_ = {std::filesystem::path(start.opened_from).filename().string(), std::move(start.opened),
               algorithm};
    opened_from_ = start.opened_from;
    show_opened();
    const auto saved = saved_place(opened_.recording->trace);
    if (saved && !start.step) place_reader(*saved), look(*saved);
  } else {
    record_first(start);
  }
  if (start.step) begin_at(*start.step);
}

// Cancels the work of four threads first, so that all of them end at the same time instead of one after the
// other.
Session::~Session() {
  recorder_.cancel();
  if (stand_in_) stand_in_->cancel();
  if (hazards_) hazards_->cancel();
  if (changed_recorder_) changed_recorder_->cancel();
}

void Session::record_first(const Start& start) {
  Settings& s = wanted_.settings;
  if (wanted_.data.kind == DataSource::Kind::picture) set_picture_size(wanted_.data, s);
  else if (decides_n(wanted_.data)) load(wanted_.data, s);
  validate(s);
  if (start.made) return show(start.made, true);
  expect_room(s, free_memory_(), wanted_.data);
  RecordingOrder order{.settings = s, .data = wanted_.data, .machine = wanted_.machine};
  for (std::string error;; wanted_.machine = order.machine = MachineChoice::emulated) {
    pending_ = Pending{Clock::now(), s.n, free_memory_()};
    recorder_.begin(order);
    if (!recorder_.wait(start.patience)) {
      if (auto smaller = stand_in(order)) {
        show(smaller->recording, true);
        shown_.settings = smaller->order.settings;  // after a cancellation, the smaller run stays shown
        banner_ = {Banner::Severity::error, error};
        return;
      }
      recorder_.wait(for_ever);
    }
    pending_.reset();
    auto result = recorder_.take();
    if (result->recording) {
      show(result->recording, true);
      if (!error.empty()) complain(error);
      return;
    }
    // The recording failed. The emulator tries the same run, and the banner shows the error.
    if (order.machine == MachineChoice::emulated) throw WorkError(result->error);
    error = result->error;
  }
}

void Session::begin_at(int step) {
  if (step < 0 || step >= step_count())
    throw RequestError(tr("There is no step {}; this recording has steps 1 to {}.", grouped(step + 1),
                          grouped(step_count())));
  cursor_.step = step;
}

const Algorithm& Session::algorithm() const { return algorithm_of_run(wanted_); }

const Algorithm& Session::algorithm_of_run(const WantedRun& run) const {
  return run.opened ? *opened_.algorithm : upsweep::algorithm(run.settings.algorithm);
}

Answer Session::open_file(const std::string& name) {
  if (!name.ends_with(timings_extension)) {
    RecordingOrder order;
    order.file = name;
    return begin(std::move(order), wanted_);
  }
  try {
    const bool there = timing.open(name, moment_);
    show_timing();
    return there ? Answer::shown : Answer::begun;
  } catch (const std::exception& e) { return refuse(in_words(e)); }
}

void Session::show_opened() {
  if (!opened_) return;
  const Intention one(*this);
  arriving_.reset();
  recorder_.cancel();
  pending_.reset();
  banner_ = {};
  if (settings().algorithm != opened_.recording->trace.settings.algorithm) wanted_.answer = false;
  Settings& s = wanted_.settings = opened_.recording->trace.settings;
  wanted_.data = {DataSource::Kind::recorded, data().seed, {}};
  wanted_.opened = true;
  for (const Choice& c : algorithm().choices) wanted_.choices[c.name] = chosen(algorithm(), s, c.name);
  wanted_.n_chosen = true;
  show(opened_.recording, true);
}

bool Session::tick(double seconds) {
  bool changed = tick_recording();
  changed = tick_changed() || changed;
  changed = view_finder_.tick() || changed;
  changed = changed_finder_.tick() || changed;
  changed = lens_drawing_.tick() || changed;
  changed = tick_timing() || changed;
  changed = follow_questions() || changed;
  if (!playing_) return changed;
  if (moves_in_time()) {
    play_time(seconds);
    return true;
  }
  played_ += seconds;
  while (playing_ && played_ >= 1 / speed_) {
    const double left = played_ - 1 / speed_;
    playing_ = step_by(+1) && !at_the_end();
    played_ = left;
    changed = true;
  }
  return changed;
}

std::shared_ptr<const LensFrame> Session::lens_frame() {
  if (!recording_->picture || cursor_.image.made != Made::depth_of_field) return nullptr;
  const RecordedTable& table = recording_->table();
  return lens_drawing_.frame(table.lens(), lens_of(table, cursor_.image),
                             machine() != MachineChoice::emulated);
}

double Session::next_tick_in() const {
  constexpr double frame = 1.0 / 60;
  const double step = !playing_ ? -1 : moves_in_time() ? frame : std::max(0.001, 1 / speed_ - played_);
  if (!pending_) return step;
  constexpr double look_again = 0.1;
  const double picture = std::max(0.001, stands_in_after - seconds_since(pending_->since));
  const double look = pending_->stood_in ? look_again : picture;
  return step < 0 ? look : std::min(step, look);
}

void Session::settle(double seconds) {
  recorder_.wait(seconds);
  timing.wait(seconds);
  if (changed_recorder_) changed_recorder_->wait(seconds);
  tick(0);
  if (hazards_) hazards_->wait(seconds);
  compared_facts_.wait(seconds);
  line_counting_.wait(seconds);
  view_finder_.wait(seconds);
  changed_finder_.wait(seconds);
  lens_drawing_.wait(seconds);
  questioning_.wait(seconds);
  tick(0);
}

// Returns the step of another recording that corresponds to the current step: the first of the following
// steps that exists.
// - the step with the same phase, the same stride, and the same number of earlier steps with this phase and
//   stride;
// - the first step with the same phase;
// - the step with the same index;
// - the last step.
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

void Session::show(std::shared_ptr<const Recording> recording, bool for_good) {
  if (for_good) {
    const std::shared_ptr<const Recording> until_now = before_ ? before_->recording : recording_;
    if (until_now && until_now != recording && took_long_) left_ = Left{shown_, until_now};
    before_.reset();
  }
  if (!for_good && !before_) before_ = Before{recording_, cursor_};
  // A recording of a new algorithm opens at the block that looks back over the most tiles, because the first
  // blocks look back over few tiles or none.
  const bool is_new =
      !recording_ || recording_->trace.settings.algorithm != recording->trace.settings.algorithm;
  const std::optional<Place> look_back = is_new ? place_of_look_back(*recording) : std::nullopt;
  const bool goes_there = look_back && !wanted_.opened;  // an opened recording begins at its first step
  Cursor next;
  if (goes_there) next.step = look_back->step;
  if (recording_) {
    next = cursor_;
    next.hover = {};
    next.time = -1;
    next.finding = -1;
    const Settings &now = recording->trace.settings, &until_now = recording_->trace.settings;
    next.step = !is_new ? same_place_in(*recording) : goes_there ? look_back->step : 0;
    if (until_now.n != now.n || until_now.algorithm != now.algorithm)
      next.first_element = next.element_count = next.first_line = 0;
  }
  if (is_new) wanted_block_ = look_back ? look_back->block : 0;
  next.block = block_in(recording->trace, next.step);
  const bool same_request =
      recording_ && recording->trace.steps.at(static_cast<std::size_t>(next.step)) == step();
  recording_ = std::move(recording);
  cursor_ = next;
  if (!same_request || cursor_.request >= static_cast<int>(requests_of(cursor_.step).size()))
    cursor_.request = -1;
  follow_answer();
  look_for_hazards();
  pair_up();
  if (!for_good) return;
  shown_ = wanted_;
  follow_changed();
  if (recording_->trace.stopped && banner_.text.empty()) complain(shown_stop(*recording_, cursor_));
}

}  // namespace upsweep
