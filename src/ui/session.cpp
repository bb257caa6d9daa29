#include "ui/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

#include "analysis/memory.hpp"
#include "base/error.hpp"
#include "catalogue/plan.hpp"
#include "scene/request.hpp"
#include "ui/recording.hpp"
#include "ui/shipped.hpp"

namespace upsweep {
namespace {

constexpr double speeds[] = {0.25, 0.5, 1, 2, 4, 8, 16};  // steps per second

// How often this phase and stride came before `step`: a stride of a Brent-Kung reverse phase is not that of
// its reduction.
int earlier_likes(const std::vector<Step>& steps, int step) {
  return static_cast<int>(
      std::count(steps.begin(), steps.begin() + step, steps[static_cast<std::size_t>(step)]));
}

// The block in which an algorithm can work, nearest to the one there is.
int possible_block(const Algorithm& a, int block) {
  int b = std::clamp(block, a.least_threads, a.most_threads);
  if (a.power_of_two_threads) b = static_cast<int>(std::bit_ceil(static_cast<unsigned>(b)));
  return std::min(b, a.most_threads);
}

bool fits_one_block(const Algorithm& a) { return !a.many_blocks && a.elements_per_thread.has_value(); }

// The size that shows most of an algorithm: small numbers that can be read, several blocks if it can have
// them.
void teach(const Algorithm& a, Settings& s, bool choose_n, int block) {
  constexpr int enough_blocks = 3, most = 4096;
  s.grid = 4;
  s.block = possible_block(a, block);
  const int first = a.is_broken() ? 100 : 64;
  if (!choose_n) {
    if (fits_one_block(a)) s.block = smallest_block(a, s);
    return;
  }
  s.n = std::min(first, a.largest.value_or(first));
  if (fits_one_block(a)) s.block = smallest_block(a, s);
  if (!a.many_blocks) return;
  for (int n = s.n; n <= std::min(most, a.largest.value_or(most)); n *= 2) {
    Settings larger = s;
    larger.n = n;
    int blocks = 0;
    for (const PlannedLaunch& launch : plan(a, larger).launches) blocks = std::max(blocks, launch.blocks);
    if (blocks < enough_blocks) continue;
    s.n = n;
    return;
  }
}

// The variants that an algorithm has, as they are wanted.
std::map<std::string, std::string> variants_of(const Algorithm& a, const Settings& s,
                                               const std::map<std::string, std::string>& wanted) {
  std::map<std::string, std::string> all;
  for (const Variant& v : a.variants)
    if (const auto w = wanted.find(v.name); w != wanted.end())
      for (const Choice& c : v.choices)
        if (c.name == w->second && c.allows(s)) all[v.name] = c.name;
  return all;
}

// What was opened may be of an algorithm that its settings make no sense to.
bool has_smallest_block(const Algorithm& a, const Settings& s) {
  try {
    return s.block == smallest_block(a, s);
  } catch (const RequestError&) { return false; }
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
    auto algorithm = algorithm_of(recording->trace);
    opened_ = {std::filesystem::path(name).filename().string(), std::move(recording), std::move(algorithm)};
    show_opened();
  } catch (const std::bad_alloc&) {
    error_ = fmt::format("There is not enough memory for the recording {}.", name);
  } catch (const std::exception& e) { error_ = e.what(); }
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

bool Session::place(const Cursor& next) {
  if (next == cursor_) return false;
  cursor_ = next;
  return true;
}

bool Session::go_to(int step) {
  Cursor next = cursor_;
  next.step = std::clamp(step, 0, step_count() - 1);
  if (next.step != cursor_.step) next.first_line = 0;  // the source follows again
  next.block = block_in(recording_->trace, next.step);
  if (grid_index(recording_->trace, next.step) != grid_index(recording_->trace, cursor_.step))
    next.first_element = next.element_count = 0;
  next.request = -1;
  played_ = 0;
  return place(next);
}

int Session::block_in(const Trace& trace, int step) const {
  return std::clamp(wanted_block_, 0, trace.grid_of(static_cast<std::uint32_t>(step)).blocks - 1);
}

bool Session::step_block(int direction) { return go_to_block(cursor_.block + direction); }

bool Session::go_to_block(int block) {
  const Trace& trace = recording_->trace;
  const int grid = grid_index(trace, cursor_.step);
  wanted_block_ = std::clamp(block, 0, trace.grids[static_cast<std::size_t>(grid)].blocks - 1);
  Cursor next = cursor_;
  next.block = wanted_block_;
  next.request = -1;
  if (!place(next)) return false;
  if (!in_focus(trace, grid, cursor_.block) && !shows_opened()) {
    const auto around = static_cast<std::uint32_t>(cursor_.block);
    const std::uint32_t half = RecordOptions{}.blocks / 2;
    first_block_ = around > half ? around - half : 0;
    ask(settings_, data_, machine_);
  }
  return true;
}

bool Session::step_by(int steps) { return go_to(cursor_.step + steps); }

bool Session::step_phase(int direction) {
  const Trace& trace = recording_->trace;
  // A launch begins a phase, too.
  const auto phase = [&](int i) {
    return std::pair(grid_index(trace, i), trace.steps[static_cast<std::size_t>(i)].phase);
  };
  int to = cursor_.step;
  if (direction > 0) {
    while (to < step_count() && phase(to) == phase(cursor_.step)) ++to;
    return to < step_count() && go_to(to);
  }
  if (to > 0) --to;
  while (to > 0 && phase(to - 1) == phase(to)) --to;
  return go_to(to);
}

std::vector<int> Session::requests_of(int step) const {
  return requests(recording_->trace, cursor_.block, step);
}

bool Session::step_request(int direction) {
  const int count = static_cast<int>(requests_of(cursor_.step).size());
  int request = cursor_.request + direction;
  if (direction > 0 && request < count) {
    Cursor next = cursor_;
    next.request = request;
    return place(next);
  }
  if (direction < 0 && request >= 0) {
    Cursor next = cursor_;
    next.request = request;
    return place(next);
  }
  for (int step = cursor_.step + direction; step >= 0 && step < step_count(); step += direction) {
    const int there = static_cast<int>(requests_of(step).size());
    if (there == 0) continue;
    go_to(step);
    cursor_.request = direction > 0 ? 0 : there - 1;
    return true;
  }
  return false;
}

void Session::toggle_playing() {
  if (!playing_ && cursor_.step == step_count() - 1) first();
  playing_ = !playing_;
  played_ = 0;
}

void Session::change_speed(int direction) {
  const auto at = std::find(std::begin(speeds), std::end(speeds), speed_) - std::begin(speeds);
  speed_ = speeds[std::clamp<std::ptrdiff_t>(at + direction, 0, std::size(speeds) - 1)];
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

// Everything a person changes comes through here: made valid, recorded, shown; or refused with a sentence.
void Session::ask(Settings s, const DataSource& data, MachineChoice machine) {
  try {
    const Algorithm& a = upsweep::algorithm(s.algorithm);
    s.layout = a.layouts ? wanted_layout_ : "none";
    s.load_pattern = a.load_patterns ? wanted_pattern_ : "halves";
    s.variants = variants_of(a, s, wanted_variants_);
    if (s.algorithm != settings_.algorithm) s.without_barrier = 0;
    if (s.algorithm != settings_.algorithm || s.n != settings_.n) first_block_ = 0;
    DataSource from = data;
    std::vector<Value> input;
    if (decides_n(data)) input = load(data, s);
    // A block that was the smallest possible stays so; any other grows only where it must. One that is asked
    // for is left alone.
    const bool asked_for = s.block != settings_.block;
    if (!asked_for && fits_one_block(a)) {
      const bool smallest = has_smallest_block(algorithm(), settings_);
      const int needed = smallest_block(a, s);
      if (needed <= 1024 && (smallest || s.block < needed)) s.block = needed;
    } else if (!asked_for) {
      s.block = possible_block(a, s.block);
    }
    validate(s);  // before data of any n is made
    if (!decides_n(data)) input = input_for(from, s);

    RecordingOrder order{s, std::move(input), machine, {}};
    order.options.first_block = first_block_;
    auto result = recorder_.at_once(order);
    error_.clear();
    if (of_opened_)
      error_ = fmt::format("This is a new run, on this computer. {} is still there: in the list of machines.",
                           opened_.name);
    of_opened_ = false;
    settings_ = s;
    data_ = from;
    machine_ = machine;
    pending_ = !result;
    if (result) show(std::move(*result));
    else recorder_.begin(std::move(order));
  } catch (const RequestError& e) { error_ = e.what(); }
}

// The recorded numbers, as long as they are as many and of the same kind; else others from a seed.
std::vector<Value> Session::input_for(DataSource& data, Settings& s) const {
  if (data.kind == DataSource::Kind::recorded) {
    const Trace& t = opened_.recording->trace;
    if (s.n == t.settings.n && s.type == t.settings.type &&
        scalars_per_element(s.op) == scalars_per_element(t.settings.op))
      return t.input;
    data = {DataSource::Kind::seed, data.seed, {}};
  }
  return load(data, s);
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
  if (!recording_->trace.stopped.empty() && error_.empty()) error_ = recording_->trace.stopped;
  if (!same_request || cursor_.request >= static_cast<int>(requests_of(cursor_.step).size()))
    cursor_.request = -1;
  shown_settings_ = settings_;
  shown_data_ = data_;
  shown_machine_ = machine_;
}

void Session::set_algorithm(const std::string& name) {
  Settings s = settings_;
  s.algorithm = name;
  set_algorithm(std::move(s));
}

void Session::set_algorithm(Settings s, int block) {
  try {
    const Algorithm& a = upsweep::algorithm(s.algorithm);
    s.variants = variants_of(a, s, wanted_variants_);
    s.layout = "none";
    s.load_pattern = "halves";
    s.without_barrier = 0;
    if (s.algorithm != settings_.algorithm) teach(a, s, !n_chosen_ && !decides_n(data_), block);
  } catch (const RequestError& e) {
    error_ = e.what();
    return;
  }
  ask(s, data_, machine_);
}

void Session::set_n(int n) {
  if (decides_n(data_)) {
    if (n != settings_.n)
      error_ = fmt::format(
          "The data is {} given numbers, and they decide n; choose a seed or a preset to set n freely.",
          settings_.n);
    return;
  }
  Settings s = settings_;
  s.n = n;
  ask(s, data_, machine_);
  n_chosen_ = n_chosen_ || error_.empty();
}

void Session::set_block(int block) {
  Settings s = settings_;
  s.block = block;
  ask(s, data_, machine_);
}

void Session::set_grid(int grid) {
  Settings s = settings_;
  s.grid = grid;
  ask(s, data_, machine_);
}

void Session::set_variant(const std::string& variant, const std::string& choice) {
  const auto before = wanted_variants_;
  wanted_variants_[variant] = choice;
  Settings s = settings_;
  s.variants = variants_of(algorithm(), s, wanted_variants_);
  if (const auto taken = s.variants.find(variant); taken == s.variants.end() || taken->second != choice) {
    wanted_variants_ = before;
    error_ = fmt::format("{}'s variant {} has no choice {} for {} of {}.", algorithm().title, variant, choice,
                         name(settings_.op), name(settings_.type));
    return;
  }
  ask(s, data_, machine_);
  if (!error_.empty()) wanted_variants_ = before;
}

int Session::barrier_at_hand() const {
  const std::vector<int>& lines = recording_->barriers;
  const auto known = [&](int line) { return std::find(lines.begin(), lines.end(), line) != lines.end(); };
  if (known(cursor_.hover.line)) return cursor_.hover.line;
  const Trace& trace = recording_->trace;
  for (int step = cursor_.step; step < step_count(); ++step) {
    const EventRange range = step_events(trace, cursor_.block, step);
    for (std::size_t i = range.first; i < range.last; ++i)
      if (const Event& e = trace.events[i];
          (e.kind == Kind::barrier || e.kind == Kind::warp_barrier) && known(e.line))
        return e.line;
  }
  return lines.empty() ? 0 : lines.front();
}

void Session::toggle_barrier(int line) {
  Settings s = settings_;
  if (line == 0 && s.without_barrier == 0) {
    line = barrier_at_hand();
    if (line == 0) {
      error_ = fmt::format("{} has no barrier that could be taken out.", algorithm().title);
      return;
    }
  }
  s.without_barrier = line == s.without_barrier ? 0 : line;
  ask(s, data_, machine_);
}

void Session::set_type(Scalar type) {
  Settings s = settings_;
  s.type = type;
  ask(s, data_, machine_);
}

void Session::set_operator(Operator op) {
  Settings s = settings_;
  s.op = op;
  ask(s, data_, machine_);
}

void Session::set_layout(const std::string& layout) {
  const std::string before = std::exchange(wanted_layout_, layout);
  ask(settings_, data_, machine_);
  if (!error_.empty()) wanted_layout_ = before;
}

void Session::next_layout() {
  if (!algorithm().layouts) {
    error_ = fmt::format("{} has no padding layouts.", algorithm().title);
    return;
  }
  const auto* at = std::find(std::begin(layout_names), std::end(layout_names), settings_.layout);
  const bool last = at == std::end(layout_names) || at + 1 == std::end(layout_names);
  set_layout(std::string(last ? layout_names[0] : at[1]));
}

void Session::set_load_pattern(const std::string& pattern) {
  const std::string before = std::exchange(wanted_pattern_, pattern);
  ask(settings_, data_, machine_);
  if (!error_.empty()) wanted_pattern_ = before;
}

void Session::set_data(const DataSource& data) { ask(settings_, data, machine_); }
void Session::set_machine(MachineChoice machine) { ask(settings_, data_, machine); }

void Session::next_machine() {
  if (shows_opened()) return set_machine(machine_);
  if (opened_ && recording_->trace.machine == "emulated") return show_opened();
  const bool on_gpu = recording_->trace.machine == "gpu";
  set_machine(on_gpu ? MachineChoice::emulated : MachineChoice::gpu);
}

bool Session::hover(const Id& id) {
  Cursor next = cursor_;
  next.hover = id;
  return place(next);
}

}  // namespace upsweep
