// What a person asks for: another algorithm, size, variant, data, machine.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "analysis/memory.hpp"
#include "base/error.hpp"
#include "catalogue/plan.hpp"
#include "study/session.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

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

}  // namespace

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
      tell(fmt::format("This is a new run, on this computer. {} is still there: in the list of machines.",
                       opened_.name));
    of_opened_ = false;
    settings_ = s;
    data_ = from;
    machine_ = machine;
    pending_ = !result;
    if (result) show(std::move(*result));
    else recorder_.begin(std::move(order));
  } catch (const RequestError& e) { error_ = in_words(e); }
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

template <class T>
void Session::change(T Settings::*what, T to) {
  Settings s = settings_;
  s.*what = to;
  ask(std::move(s), data_, machine_);
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
    error_ = in_words(e);
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
  change(&Settings::n, n);
  n_chosen_ = n_chosen_ || tells_no_error();
}

void Session::set_block(int block) { change(&Settings::block, block); }

void Session::set_grid(int grid) { change(&Settings::grid, grid); }

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
  if (!tells_no_error()) wanted_variants_ = before;
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
  if (line == 0 && settings_.without_barrier == 0) {
    line = barrier_at_hand();
    if (line == 0) {
      error_ = fmt::format("{} has no barrier that could be taken out.", algorithm().title);
      return;
    }
  }
  change(&Settings::without_barrier, line == settings_.without_barrier ? 0 : line);
}

void Session::set_type(Scalar type) { change(&Settings::type, type); }

void Session::set_operator(Operator op) { change(&Settings::op, op); }

void Session::set_layout(const std::string& layout) {
  const std::string before = std::exchange(wanted_layout_, layout);
  ask(settings_, data_, machine_);
  if (!tells_no_error()) wanted_layout_ = before;
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
  if (!tells_no_error()) wanted_pattern_ = before;
}

void Session::set_data(const DataSource& data) { ask(settings_, data, machine_); }
void Session::set_machine(MachineChoice machine) { ask(settings_, data_, machine); }

void Session::next_machine() {
  if (shows_opened()) return set_machine(machine_);
  if (opened_ && recording_->trace.machine == MachineKind::emulated) return show_opened();
  const bool on_gpu = recording_->trace.machine == MachineKind::gpu;
  set_machine(on_gpu ? MachineChoice::emulated : MachineChoice::gpu);
}

}  // namespace upsweep
