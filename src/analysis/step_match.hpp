// Finds the steps of two runs that correspond to each other, so that both runs can be shown side by side.
#pragma once
#include <span>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// A step of each run, as an index into Trace::steps. -1 marks a gap: only the other run has this step.
struct StepPair {
  int baseline = -1, changed = -1;
  bool operator==(const StepPair&) const = default;
};

// Returns all steps of both runs, each step once, in the order in which they run. Only steps of the same role
// are paired. The phases `reduce` and `up_sweep` are one role, the phases `reverse` and `down_sweep` are a
// second role, and every other phase is a separate role.
//
// The steps of a role are divided into sequences: a sequence ends when a launch ends, or when the strides
// begin again. The first sequences of both runs are paired, then the second sequences, and so on. Within a
// pair of sequences, steps with the same stride are paired. This requires that both sequences have at least
// one stride in common, and that the strides grow in both sequences or shrink in both sequences. Otherwise,
// the steps are paired in order.
std::vector<StepPair> match_steps(const Trace& baseline, const Trace& changed);

// Returns the steps that are shown for a pair. If a run has no step in the pair, the run's nearest step
// before the pair is shown, or else the run's first step. Requires that both runs have steps.
StepPair shown_steps(std::span<const StepPair> pairs, int pair);

}  // namespace upsweep
