#include "analysis/step_match.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/memory.hpp"

namespace upsweep {
namespace {

// The way in which the strides of a sequence change. A sequence of one step may be paired with a growing or a
// shrinking sequence.
enum class Course { one_step, grows, shrinks, stays };

struct StepSequence {
  std::vector<int> steps;
  Course course = Course::one_step;
};

using SequencesByRole = std::map<std::string_view, std::vector<StepSequence>>;

std::string_view role_of(const Phase& phase) {
  if (phase == Phase::reduce) return Phase::up_sweep.name();
  if (phase == Phase::reverse) return Phase::down_sweep.name();
  return phase.name();
}

Course course_of(int stride, int next) {
  return next > stride ? Course::grows : next < stride ? Course::shrinks : Course::stays;
}

SequencesByRole sequences_of(const Trace& trace) {
  SequencesByRole all;
  int grid = -1;
  for (int i = 0; i < static_cast<int>(trace.steps.size()); ++i) {
    const Step& step = trace.steps[static_cast<std::size_t>(i)];
    std::vector<StepSequence>& role = all[role_of(step.phase)];
    const int now = grid_index(trace, i);
    if (now != grid)
      for (auto& [name, sequences] : all) sequences.emplace_back();  // empty sequences are removed below
    grid = now;
    if (role.empty()) role.emplace_back();
    StepSequence* last = &role.back();
    if (!last->steps.empty()) {
      const int stride = trace.steps[static_cast<std::size_t>(last->steps.back())].stride;
      const Course course = course_of(stride, step.stride);
      if (last->course == Course::one_step) last->course = course;
      else if (last->course != course) last = &role.emplace_back();
    }
    last->steps.push_back(i);
  }
  for (auto& [name, sequences] : all)
    std::erase_if(sequences, [](const StepSequence& s) { return s.steps.empty(); });
  return all;
}

class Matching {
 public:
  Matching(const Trace& baseline, const Trace& changed)
      : baseline_(baseline),
        changed_(changed),
        partner_of_baseline_(baseline.steps.size(), -1),
        partner_of_changed_(changed.steps.size(), -1) {}

  std::vector<StepPair> pairs() {
    const SequencesByRole left = sequences_of(baseline_), right = sequences_of(changed_);
    for (const auto& [role, sequences] : left)
      if (const auto found = right.find(role); found != right.end())
        for (std::size_t i = 0; i < std::min(sequences.size(), found->second.size()); ++i)
          match(sequences[i], found->second[i]);
    part_crossing_pairs();
    return in_order();
  }

 private:
  int stride(const Trace& trace, int step) const {
    return trace.steps[static_cast<std::size_t>(step)].stride;
  }

  void pair(int baseline, int changed) {
    partner_of_baseline_[static_cast<std::size_t>(baseline)] = changed;
    partner_of_changed_[static_cast<std::size_t>(changed)] = baseline;
  }

  void match(const StepSequence& left, const StepSequence& right) {
    std::map<int, int> by_stride;
    for (const int step : right.steps) by_stride.emplace(stride(changed_, step), step);
    const bool same_course =
        left.course == right.course || left.course == Course::one_step || right.course == Course::one_step;
    const bool is_course = left.course != Course::stays && right.course != Course::stays;
    const bool shared = std::ranges::any_of(
        left.steps, [&](int step) { return by_stride.contains(stride(baseline_, step)); });
    if (same_course && is_course && shared) {
      for (const int step : left.steps)
        if (const auto found = by_stride.find(stride(baseline_, step)); found != by_stride.end())
          pair(step, found->second);
      return;
    }
    for (std::size_t i = 0; i < std::min(left.steps.size(), right.steps.size()); ++i)
      pair(left.steps[i], right.steps[i]);
  }

  // Keeps as many pairs as possible whose steps ascend in both runs, and separates all other pairs. So a
  // reader who steps forward goes forward in both runs.
  void part_crossing_pairs() {
    std::vector<int> ends;  // the baseline's step at the end of the best sequence of each length
    std::vector<int> before(partner_of_baseline_.size(), -1);
    const auto partner = [&](int step) { return partner_of_baseline_[static_cast<std::size_t>(step)]; };
    for (int i = 0; i < static_cast<int>(partner_of_baseline_.size()); ++i) {
      if (partner(i) < 0) continue;
      const auto at = std::ranges::lower_bound(ends, partner(i), {}, partner);
      before[static_cast<std::size_t>(i)] = at == ends.begin() ? -1 : *(at - 1);
      if (at == ends.end()) ends.push_back(i);
      else *at = i;
    }
    std::vector<bool> kept(partner_of_baseline_.size(), false);
    for (int i = ends.empty() ? -1 : ends.back(); i >= 0; i = before[static_cast<std::size_t>(i)])
      kept[static_cast<std::size_t>(i)] = true;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (!kept[i] && partner_of_baseline_[i] >= 0) {
        partner_of_changed_[static_cast<std::size_t>(partner_of_baseline_[i])] = -1;
        partner_of_baseline_[i] = -1;
      }
  }

  // Returns the pairs in the order of the baseline's steps. A step that only the changed run has comes after
  // the previous step of the changed run.
  std::vector<StepPair> in_order() const {
    std::map<int, std::vector<int>>
        alone;  // steps of only the changed run; the key is the baseline's step before them, or -1
    int after = -1;
    for (int i = 0; i < static_cast<int>(partner_of_changed_.size()); ++i) {
      const int partner = partner_of_changed_[static_cast<std::size_t>(i)];
      if (partner >= 0) after = partner;
      else alone[after].push_back(i);
    }
    std::vector<StepPair> all;
    for (int i = -1; i < static_cast<int>(partner_of_baseline_.size()); ++i) {
      if (i >= 0) all.push_back({i, partner_of_baseline_[static_cast<std::size_t>(i)]});
      if (const auto found = alone.find(i); found != alone.end())
        for (const int step : found->second) all.push_back({-1, step});
    }
    return all;
  }

  const Trace &baseline_, &changed_;
  std::vector<int> partner_of_baseline_, partner_of_changed_;
};

}  // namespace

std::vector<StepPair> match_steps(const Trace& baseline, const Trace& changed) {
  return Matching(baseline, changed).pairs();
}

StepPair shown_steps(std::span<const StepPair> pairs, int pair) {
  const auto shown = [&](int StepPair::*step) {
    int at = pair;
    while (at > 0 && pairs[static_cast<std::size_t>(at)].*step < 0) --at;
    while (pairs[static_cast<std::size_t>(at)].*step < 0) ++at;
    return pairs[static_cast<std::size_t>(at)].*step;
  };
  return {shown(&StepPair::baseline), shown(&StepPair::changed)};
}

}  // namespace upsweep
