// Finds the steps of two runs that correspond to each other, so that both runs can be shown side by side.
#pragma once
#include <span>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// Two steps that correspond to each other, one step of each run. A step is an index into Trace::steps, or -1
// if only the other run has this step.
struct StepPair {
  int baseline = -1, changed = -1;
  bool operator==(const StepPair&) const = default;
};

// Returns all steps of both runs, each step once, in the order in which they run. Only steps of the same role
// are paired. The phases `reduce` and `up_sweep` are one role, the phases `reverse` and `down_sweep` are a
// second role, and every other phase is a separate role.
//
// The steps of a role are divided into sequences. In one sequence, the strides only grow or only shrink. A
// new sequence also begins if the next launch begins with the same stride. The first sequences of both runs
// are paired, then the second sequences, and so on. In a pair of sequences, steps with the same stride are
// paired. But the steps are paired in order in three cases: the sequences have no stride in common, the
// strides grow in one sequence and shrink in the other sequence, or a sequence repeats only one stride.
//
// If one run takes more steps for a stride than the other run, the last steps for this stride are paired,
// because both runs have finished the stride after these steps.
std::vector<StepPair> match_steps(const Trace& baseline, const Trace& changed);

// Returns the steps that are shown for a pair. If a run has no step in the pair, the run's nearest step
// before the pair is shown, or else the run's first step. Requires that both runs have steps.
StepPair shown_steps(std::span<const StepPair> pairs, int pair);

}  // namespace upsweep
