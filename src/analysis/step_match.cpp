#include "analysis/step_match.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/memory.hpp"

namespace upsweep {
namespace {

// The way in which the strides of a sequence change.
enum class Course { one_stride, grows, shrinks };

// Some algorithms take several steps for each stride, so neighbouring steps may have the same stride.
struct StepSequence {
  std::vector<int> steps;
  Course course = Course::one_stride;

  // Returns whether the steps can be paired by their strides with a sequence that has the course `other`. If
  // this sequence has only one step, returns true. If this sequence repeats one stride, returns false,
  // because this sequence may be the endless loop of a broken kernel.
  bool follows(Course other) const {
    return course == Course::one_stride ? steps.size() == 1 : other == course || other == Course::one_stride;
  }
};

using SequencesByRole = std::map<std::string_view, std::vector<StepSequence>>;

std::string_view role_of(const Phase& phase) {
  if (phase == Phase::reduce) return Phase::up_sweep.name();
  if (phase == Phase::reverse) return Phase::down_sweep.name();
  return phase.name();
}

Course course_of(int stride, int next) {
  return next > stride ? Course::grows : next < stride ? Course::shrinks : Course::one_stride;
}

SequencesByRole sequences_of(const Trace& trace) {
  SequencesByRole all;
  for (int i = 0; i < static_cast<int>(trace.steps.size()); ++i) {
    const Step& step = trace.steps[static_cast<std::size_t>(i)];
    std::vector<StepSequence>& role = all[role_of(step.phase)];
    if (role.empty()) role.emplace_back();
    StepSequence* last = &role.back();
    if (!last->steps.empty()) {
      const int before = last->steps.back();
      const Course course = course_of(trace.steps[static_cast<std::size_t>(before)].stride, step.stride);
      const bool begins_again = course == Course::one_stride
                                    ? grid_index(trace, before) != grid_index(trace, i)
                                    : last->course != Course::one_stride && last->course != course;
      if (begins_again) last = &role.emplace_back();
      else if (course != Course::one_stride) last->course = course;
    }
    last->steps.push_back(i);
  }
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
  static std::map<int, std::vector<int>> by_stride(const Trace& trace, const StepSequence& sequence) {
    std::map<int, std::vector<int>> all;
    for (const int step : sequence.steps)
      all[trace.steps[static_cast<std::size_t>(step)].stride].push_back(step);
    return all;
  }

  void pair(int baseline, int changed) {
    partner_of_baseline_[static_cast<std::size_t>(baseline)] = changed;
    partner_of_changed_[static_cast<std::size_t>(changed)] = baseline;
  }

  // Pairs steps in order. If one list is longer, its first steps have no partner.
  void pair_ends(std::span<const int> left, std::span<const int> right) {
    for (std::size_t i = 1; i <= std::min(left.size(), right.size()); ++i)
      pair(left[left.size() - i], right[right.size() - i]);
  }

  void match(const StepSequence& left, const StepSequence& right) {
    const bool same_course = left.follows(right.course) && right.follows(left.course);
    const auto lefts = by_stride(baseline_, left), rights = by_stride(changed_, right);
    // A step without a stride has the number 0 as its stride. Such steps do not count.
    const bool shared = std::ranges::any_of(
        lefts, [&](const auto& steps) { return steps.first > 0 && rights.contains(steps.first); });
    if (same_course && shared) {
      for (const auto& [stride, steps] : lefts)
        if (const auto found = rights.find(stride); found != rights.end()) pair_ends(steps, found->second);
      return;
    }
    for (std::size_t i = 0; i < std::min(left.steps.size(), right.steps.size()); ++i)
      pair(left.steps[i], right.steps[i]);
  }

  // Two pairs cross if their steps have one order in the baseline and the opposite order in the changed run.
  // Separates pairs until no two pairs cross, but keeps as many pairs as possible. So a reader who steps
  // forward goes forward in both runs.
  void part_crossing_pairs() {
    std::vector<int> ends;  // [k]: the last of k + 1 pairs that do not cross, as a step of the baseline
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

  // Returns the pairs in the order of the baseline's steps. If a step exists only in the changed run, its
  // pair is placed after the pair of the changed run's previous step.
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
