// Carries out requests about the measured times.
#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "analysis/run_index.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "study/intention.hpp"
#include "study/puzzle.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

// A kernel in a block of only one warp has few bank conflicts or none, so the block gets two warps.
constexpr int threads_with_conflicts = 64;

// Returns whether two settings have the same kernel, type, operator and variant. Sizes may differ.
bool same_kernel(const Settings& a, const Settings& b) {
  return a.algorithm == b.algorithm && a.type == b.type && a.op == b.op && variant_name(a) == variant_name(b);
}

}  // namespace

// While a recording is running, the times belong to the shown run, like everything else on the screen.
Chosen Session::chosen_times() const {
  const Settings& s = pending_ && !wanted_.opened ? recording_->trace.settings : settings();
  const Algorithm& a = s.algorithm == settings().algorithm ? algorithm() : upsweep::algorithm(s.algorithm);
  return {s, timing.compared(a, s)};
}

void Session::show_timing() {
  if (!looks.timing_large) looks.timing = 1;
}

void Session::follow_compared() { compared_facts_.follow(recording_, chosen_times().compared); }

bool Session::tick_timing() {
  const bool counts = line_counting_.tick(), facts = compared_facts_.tick(), times = timing.tick();
  follow_counters();
  if (const std::string sentence = timing.take_error(); !sentence.empty()) complain(sentence);
  return counts || facts || times;
}

std::shared_ptr<const LineCounters> Session::line_counters() const {
  return looks.counters && !questioning_.is_open() ? line_counting_.shown() : nullptr;
}

void Session::toggle_counters() { apply({.counters = !looks.counters}); }

void Session::follow_counters() {
  if (!looks.counters) return;
  const Trace& trace = recording_->trace;
  line_counting_.follow(
      recording_, shows_opened() ? tr("An opened recording cannot run again.")
                  : trace.stopped || trace.settings.without_barrier > 0 ||
                          is_unsafe(upsweep::algorithm(trace.settings.algorithm), trace.settings)
                      ? tr("A broken kernel's counts differ from run to run.")
                  : recorder_.running() ? tr("The counters would also count the kernel that is being "
                                             "recorded: wait until the recording ends.")
                  : timing.measuring()
                      ? tr("The counters would also count the kernels that are being measured: wait until "
                           "the measurement ends.")
                      : "");
}

void Session::measure_times() {
  if (timing.measuring()) return timing.cancel();
  try {
    if (line_counting_.under_way())
      throw RequestError(tr("The hardware's counters are being read: try again in a moment."));
    timing.measure(algorithm(), chosen_times());
    show_timing();
  } catch (const std::exception& e) { complain(in_words(e)); }
}

void Session::next_timings() {
  show_timing();
  if (!timing.next_source())
    complain(timing.sources().empty() ? tr("There are no times yet: press S to measure on this computer.")
                                      : tr("There are no other recorded times."));
}

void Session::pin_time(int row) {
  const TimingSource* source = timing.source();
  if (source && row >= 0 && row < static_cast<int>(source->timings->rows.size()))
    timing.pin(source->timings->rows[static_cast<std::size_t>(row)]);
}

void Session::swap_compared() {
  const Intention one(*this);
  const auto other = chosen_times().compared;
  if (!other) {
    complain(tr("There is no variant to compare with {}.", puzzle_name(algorithm())));
    return;
  }
  const Settings before = settings();
  Settings swapped = settings();
  swapped.algorithm = other->algorithm;
  if (ask_for_choices(swapped, *other) != Answer::refused) timing.compare_with(before);
}

// Requests a run of `s` with the options of `choices`. If `with_conflicts` is true, the block becomes large
// enough for bank conflicts.
Answer Session::ask_for_choices(Settings s, const Settings& choices, bool with_conflicts) {
  WantedRun next = wanted_;
  const bool same = is_same_ladder(algorithm(), s.algorithm);
  const Algorithm& a = s.algorithm == settings().algorithm ? algorithm() : upsweep::algorithm(s.algorithm);
  for (const Choice& c : a.choices) next.choices[c.name] = chosen(a, choices, c.name);
  next.settings = std::move(s);
  if (!same || with_conflicts) teach_algorithm(next, a.name, threads_with_conflicts);
  next.block_chosen = next.block_chosen || with_conflicts;
  return ask(std::move(next));
}

void Session::next_compared() {
  const Intention one(*this);
  const Chosen chosen = chosen_times();
  const std::vector<Settings> all = comparable_with(algorithm(), settings());
  if (all.size() < 2) {
    complain(tr("For {}, there is no {}variant to compare.", puzzle_name(algorithm()),
                all.empty() ? "" : tr("other ")));
    return;
  }
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const Settings& s) { return same_kernel(s, *chosen.compared); });
  const Settings& next = at == all.end() || at + 1 == all.end() ? all.front() : at[1];
  timing.compare_with(next);
  tell(tr("Compared with {}.", name_beside(next, settings())));
}

int Session::shown_case() const {
  const auto cases = timing.cases();
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (cases[i] && (same_kernel(settings(), cases[i]->now) || same_kernel(settings(), cases[i]->compared)))
      return static_cast<int>(i);
  return -1;
}

void Session::show_case(int which) {
  const Intention one(*this);
  const auto cases = timing.cases();
  const auto& wanted = cases.at(static_cast<std::size_t>(which));
  show_timing();
  if (!wanted) {
    complain(tr("These times contain no example in which {}.",
                which == 0 ? tr("fewer bank conflicts save time")
                           : tr("a change saves no time because the kernel waits for global memory")));
    return;
  }
  if (!same_kernel(settings(), wanted->now)) {
    Settings s = settings();
    s.algorithm = wanted->now.algorithm;
    s.type = wanted->now.type;
    s.op = wanted->now.op;
    s.without_barrier = 0;
    const Answer answer = ask_for_choices(s, wanted->now, true);
    if (answer == Answer::refused) return;
    if (answer == Answer::shown) go_to(recording_->run().worst_step(0, step_count()));
  }
  timing.compare_with(wanted->compared);
}

void Session::next_case(bool large) {
  const Intention one(*this);
  show_case(shown_case() == 0 ? 1 : 0);
  if (large) apply({.view = "", .timing_large = true});
}

}  // namespace upsweep
