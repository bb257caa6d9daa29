#include "study/recording.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "catalogue/data.hpp"
#include "study/wrong_result.hpp"

namespace upsweep {
namespace {

// Returns whether a trace's text is an algorithm's text, or differs only by blanks in the place of a barrier.
bool is_text_of(const Algorithm& a, const Trace& t) {
  return a.text.size() == t.text.size() &&
         std::equal(a.text.begin(), a.text.end(), t.text.begin(), [&](char ours, char theirs) {
           return ours == theirs || (t.settings.without_barrier > 0 && theirs == ' ');
         });
}

}  // namespace

std::shared_ptr<const Algorithm> algorithm_of(const Trace& t) {
  const std::string& name = t.settings.algorithm;
  for (const Algorithm& a : algorithms())
    if (a.name == name && is_text_of(a, t)) return {std::shared_ptr<void>(), &a};
  try {
    return std::make_shared<const Algorithm>(parse_kernel(name, t.file, t.text));
  } catch (const std::exception&) {
    Algorithm bare;
    bare.name = bare.title = name;
    bare.file = t.file;
    bare.text = t.text;
    return std::make_shared<const Algorithm>(std::move(bare));
  }
}

Recording make_recording(Trace trace, Job* job) {
  const auto has_come_to = [&](double share) {
    if (!job) return;
    job->check();
    job->set_progress(share);
  };
  Recording r;
  r.trace = std::move(trace);
  r.facts = facts(r.trace);
  has_come_to(0.3);
  r.work = work(r.trace);
  has_come_to(0.6);
  r.mistake = verdict(r.trace, job).value_or(Message{});
  if (r.mistake) r.wrong = wrong_result(r.trace, job);
  if (r.wrong) r.mistake = mistake_of(*r.wrong, r.trace.settings);
  has_come_to(1);
  const auto a = algorithm_of(r.trace);
  r.title = a->title;
  r.text = a->text;
  r.barriers = barrier_lines(*a);
  try {
    if (const auto promised = promise(*a, r.trace.settings)) {
      r.expected_operations = static_cast<double>(promised->operations);
      r.expected_steps = static_cast<double>(promised->steps);
    }
  } catch (const std::exception&) {}  // the formulas do not hold for settings that this version does not know
  return r;
}

std::optional<Message> verdict(const Trace& t, const Job* job) {
  try {
    const auto a = algorithm_of(t);
    if (a->gives.empty()) return {};
    return check(*a, t.settings, t.input, t.output, job);
  } catch (const std::exception&) { return {}; }
}

}  // namespace upsweep
