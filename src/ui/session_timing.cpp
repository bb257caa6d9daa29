// What a person asks of the timing half of the session.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "ui/session.hpp"

namespace upsweep {

Chosen Session::chosen_times() const { return {settings_, timing.twin(algorithm(), settings_)}; }

void Session::show_timing() {
  if (!looks.timing_large) looks.timing = 1;
}

void Session::follow_twin() { twin_facts_.follow(recording_, chosen_times().twin); }

bool Session::tick_timing() {
  const bool facts = twin_facts_.tick(), times = timing.tick();
  if (const std::string sentence = timing.take_error(); !sentence.empty()) error_ = sentence;
  return facts || times;
}

void Session::measure_times() {
  if (timing.measuring()) return timing.cancel();
  try {
    timing.measure(algorithm(), chosen_times());
    show_timing();
  } catch (const RequestError& e) { error_ = e.what(); }
}

void Session::next_timings() {
  show_timing();
  if (!timing.next_source())
    error_ = timing.sources().empty() ? "There are no recorded times: S measures on this computer."
                                      : "There are no other times than these.";
}

void Session::pin_time(int row) {
  const TimingSource* source = timing.source();
  if (source && row >= 0 && row < static_cast<int>(source->timings->rows.size()))
    timing.pin(source->timings->rows[static_cast<std::size_t>(row)]);
}

void Session::swap_twin() {
  const auto other = chosen_times().twin;
  if (!other) {
    error_ = fmt::format("{} has no variant to compare it with.", algorithm().title);
    return;
  }
  const Settings before = settings_;
  const auto layout = wanted_layout_, pattern = wanted_pattern_;
  const auto variants = wanted_variants_;
  wanted_layout_ = other->layout;
  wanted_pattern_ = other->load_pattern;
  for (const Variant& v : algorithm().variants) {
    const auto named = other->variants.find(v.name);
    wanted_variants_[v.name] = named == other->variants.end() ? v.choices.front().name : named->second;
  }
  ask(settings_, data_, machine_);
  if (settings_ == before) {  // refused, with a sentence
    wanted_layout_ = layout;
    wanted_pattern_ = pattern;
    wanted_variants_ = variants;
    return;
  }
  timing.compare_with(before);
}

void Session::next_twin() {
  const Chosen chosen = chosen_times();
  const std::vector<Settings> all = twins_of(algorithm(), settings_);
  if (all.size() < 2) {
    error_ = fmt::format("{} has no {}variant to compare it with.", algorithm().title,
                         all.empty() ? "" : "other ");
    return;
  }
  const auto at = std::find(all.begin(), all.end(), *chosen.twin);
  timing.compare_with(at == all.end() || at + 1 == all.end() ? all.front() : at[1]);
}

}  // namespace upsweep
