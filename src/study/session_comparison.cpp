// Shows two runs side by side: records the changed run, pairs its steps with the baseline's, and moves one
// cursor through both runs.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "analysis/step_index.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "study/compare_presets.hpp"
#include "study/intention.hpp"
#include "study/linked_id.hpp"
#include "study/teaching.hpp"
#include "study/timing_choice.hpp"
#include "study/wrong_result.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

// Returns whether two orders record the same run.
bool is_same_order(const RecordingOrder& a, const RecordingOrder& b) {
  return a.settings == b.settings && a.data == b.data && a.machine == b.machine && a.numbers == b.numbers &&
         a.options.first_block == b.options.first_block;
}

int changed_of(const std::vector<StepPair>& pairs, int baseline) {
  const auto found = std::ranges::find(pairs, baseline, &StepPair::baseline);
  return found == pairs.end() ? -1 : found->changed;
}
int baseline_of(const std::vector<StepPair>& pairs, int changed) {
  const auto found = std::ranges::find(pairs, changed, &StepPair::changed);
  return found == pairs.end() ? -1 : found->baseline;
}

}  // namespace

// --- the changed run

WantedRun Session::changed_run() const {
  WantedRun from = wanted_;
  // Both runs have the same n and, if possible, the same block size, even if other sizes would show the
  // changed run's algorithm better.
  from.n_chosen = true;
  WantedRun changed = run_after(std::move(from), change_);
  const Algorithm& a = upsweep::algorithm(changed.settings.algorithm);
  if (!change_.block && !fits_one_block(a)) {
    changed.settings.block = possible_block(a, wanted_.settings.block);
    changed.block_chosen = true;
  }
  return changed;
}

Request Session::run_difference(const WantedRun& from, const WantedRun& to) const {
  const Request before = run_state(from), after = run_state(to);
  Request change = difference(before, after);
  change.open.reset();
  std::erase_if(change.choices, [&](const auto& choice) {
    const auto found = before.choices.find(choice.first);
    return found != before.choices.end() && found->second == choice.second;
  });
  return change;
}

// Returns a change of the shown run. The changed run is instructive beside the shown run. Chooses the first
// of these changes that is possible: a preset that contains the algorithm, the correct version of a broken
// kernel, a variant, another algorithm with the same result, a run of half the size.
Request Session::usual_change() const {
  const std::string& name = settings().algorithm;
  for (const ComparePreset& p : compare_presets()) {
    if (p.baseline.algorithm != name && p.change.algorithm != name) continue;
    // A preset compares two options, for example none (the baseline) with pad32. If the shown run does not
    // have the baseline's option, compares the shown run with a run that has the baseline's option.
    if (!p.change.algorithm && !p.change.choices.empty()) {
      const auto& [choice, option] = *p.baseline.choices.begin();
      if (settings().choice(choice) != option) return {.choices = p.baseline.choices};
    }
    if (p.change.algorithm == name) return {.algorithm = p.baseline.algorithm};
    if (p.change.algorithm) return {.algorithm = p.change.algorithm};  // with the settings of the shown run
    if (!p.change.machine) return p.change;
  }
  WantedRun other = wanted_;
  if (const auto right = right_settings(algorithm(), settings())) {
    other.settings = *right;
    return run_difference(wanted_, other);
  }
  if (const std::vector<Settings> all = comparable_with(algorithm(), settings()); !all.empty()) {
    other.settings = all.front();
    return run_difference(wanted_, other);
  }
  for (const Algorithm& a : algorithms())
    if (a.name != name && a.family == algorithm().family && a.gives == algorithm().gives && is_listed(a))
      return {.algorithm = a.name};
  return {.n = std::max(1, settings().n / 2)};
}

void Session::toggle_comparing() {
  if (looks.comparing) {
    apply({.comparing = false});
    return;
  }
  bool is_possible = !fields_of(change_).empty();
  if (is_possible) {
    try {
      WantedRun changed = changed_run();
      order_of(changed, wanted_, false);
      is_possible = !fields_of(run_difference(wanted_, changed)).empty();
    } catch (const std::exception&) { is_possible = false; }
  }
  apply({.timing_large = false,
         .comparing = true,
         .change = to_json(is_possible ? change_ : usual_change()),
         .presentation = looks.presentation});
}

Answer Session::compare(Request baseline, const Request& change) {
  baseline.timing_large = false;
  baseline.comparing = true;
  baseline.change = to_json(change);
  return apply(baseline);
}

Answer Session::compare_with(const Settings& s, const DataSource& data, MachineChoice machine) {
  WantedRun other = wanted_;
  other.settings = s;
  other.data = data;
  other.machine = machine;
  return compare({}, run_difference(wanted_, other));
}

Answer Session::show_run(const Settings& s, const DataSource& data, MachineChoice machine, Request place) {
  WantedRun other = wanted_;
  other.settings = s;
  other.data = data;
  other.machine = machine;
  other.opened = false;
  Request r = run_state(other);
  // If the data decide n, the request must not set n.
  if (decides_n(data)) r.n.reset();
  r.open = "";
  for_each_field_of(
      [](const char*, auto& to, const auto& from) {
        if constexpr (requires { from.has_value(); })
          if (from) to = from;
      },
      r, place);
  return apply(r);
}

Answer Session::swap_sides() {
  if (!looks.comparing) return refuse(tr("Nothing is compared: press Tab first."));
  try {
    WantedRun changed = changed_run();
    order_of(changed, wanted_, change_.block.has_value());
    Request baseline = run_state(changed);
    baseline.open = "";
    // The request must not contain n if the data decide n. It does not need the choice `method`, because its
    // field `algorithm` already determines the method.
    if (decides_n(changed.data)) baseline.n.reset();
    baseline.choices.erase(std::string(method_choice));
    return compare(std::move(baseline), run_difference(changed, wanted_));
  } catch (const std::exception& e) { return refuse(in_words(e)); }
}

// Begins to record the changed run, unless the latest order was already for the same run. If no comparison is
// shown, forgets the changed run.
void Session::follow_changed() {
  if (!looks.comparing) {
    if (changed_recorder_) changed_recorder_->cancel();
    changed_order_.reset();
    changed_.reset();
    pair_up();
    return;
  }
  if (pending_) return;  // finish() calls this function again
  try {
    WantedRun changed = changed_run();
    RecordingOrder order = order_of(changed, wanted_, change_.block.has_value());
    if (changed_order_ && is_same_order(*changed_order_, order)) return;
    changed_failure_.clear();
    changed_order_ = order;
    if (!changed_recorder_) changed_recorder_ = std::make_unique<Recorder>(open_, wake_);
    changed_recorder_->begin(std::move(order));
    changed_recorder_->wait(moment_);
    tick_changed();
  } catch (const std::exception& e) {
    if (changed_recorder_) changed_recorder_->cancel();
    changed_order_.reset();
    changed_.reset();
    changed_failure_ = in_words(e);
    pair_up();
  }
}

bool Session::tick_changed() {
  auto result = changed_recorder_ ? changed_recorder_->take() : std::nullopt;
  if (!result) return false;
  changed_ = std::move(result->recording);
  changed_failure_ = changed_ ? "" : std::move(result->error);
  pair_up();
  return true;
}

// --- the shown pair of steps (one step of each run)

void Session::pair_up() {
  beside_ = 0;
  if (!changed_ || !recording_) {
    pairs_.clear();
    return;
  }
  pairs_ = match_steps(recording_->trace, changed_->trace);
}

int Session::pair() const {
  const auto found = std::ranges::find(pairs_, cursor_.step, &StepPair::baseline);
  return static_cast<int>(found - pairs_.begin()) + beside_;
}

bool Session::go_to_pair(int pair) {
  const Intention one(*this);
  const int last = static_cast<int>(pairs_.size()) - 1, before = this->pair();
  pair = std::clamp(pair, 0, last);
  go_to(shown_steps(pairs_, pair).baseline);
  beside_ = pair - this->pair();
  return pair != before;
}

Cursor Session::changed_cursor() const {
  Cursor c = cursor_;
  c.time = -1;
  c.step = shown_steps(pairs_, pair()).changed;
  c.block = block_in(changed_->trace, c.step);
  c.finding = -1;
  if (c.request >= std::ssize(changed_->step(c.block, c.step).requests)) c.request = -1;
  if (changed_->trace.text != recording_->trace.text) c.first_line = 0;
  if (!is_nothing(changed_hover_)) c.hover = changed_hover_;
  else
    c.hover = linked_id({*recording_, *changed_, [this](int step) { return changed_of(pairs_, step); }},
                        cursor_.block, cursor_.hover);
  return c;
}

bool Session::hover_changed(const Id& id) {
  Cursor next = cursor_;
  next.hover = linked_id({*changed_, *recording_, [this](int step) { return baseline_of(pairs_, step); }},
                         cursor_.block, id);
  const bool is_new = place(next) || changed_hover_ != id;
  changed_hover_ = id;
  return is_new;
}

void Session::click_changed(const Id& id) {
  const Intention one(*this);
  playing_ = false;
  const Cursor there = changed_cursor();
  const Click effect = click_on({*changed_, there}, id);
  const auto go_to_changed = [&](int step) {
    const auto found = std::ranges::find(pairs_, step, &StepPair::changed);
    if (found != pairs_.end()) go_to_pair(static_cast<int>(found - pairs_.begin()));
  };
  if (const auto* step = std::get_if<GoToStep>(&effect)) go_to_changed(step->step);
  else if (const auto* request = std::get_if<GoToRequest>(&effect)) {
    const Id baseline =
        linked_id({*changed_, *recording_, [this](int step) { return baseline_of(pairs_, step); }},
                  cursor_.block, RequestId{there.step, {.event = request->event}});
    go_to_changed(static_cast<int>(changed_->trace.events[static_cast<std::size_t>(request->event)].step));
    if (const AccessId* by = access_of(baseline); by && by->event >= 0) carry_out(GoToRequest{by->event});
  } else if (const auto* finding = std::get_if<GoToFinding>(&effect)) {
    go_to_changed(finding->step);
    carry_out(ShowView{view_index("hazards")});
  } else if (const auto* barrier = std::get_if<ToggleBarrier>(&effect)) {
    Request change = change_;
    change.without_barrier = changed_->trace.settings.without_barrier == barrier->line ? 0 : barrier->line;
    apply({.change = to_json(change)});
  } else {
    carry_out_click(effect);
  }
}

}  // namespace upsweep
