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

// Returns all steps of both runs, each step once, in the order in which they run. Steps are paired in order
// within a role. The phases reduce and up_sweep are one role, and the phases reverse and down_sweep are
// another role. Every other phase is a separate role. A sequence of a role's steps ends where a launch ends,
// or where the strides begin again. The sequences of a role are paired in order. Within two sequences, steps
// with the same stride are paired if the strides of both grow, or if the strides of both shrink, and if they
// share a stride. Otherwise the steps are paired one by one.
std::vector<StepPair> match_steps(const Trace& baseline, const Trace& changed);

// Returns the steps that are shown for a pair. For a run without a step in the pair, returns the run's
// nearest step before the pair, or else the run's first step. Requires that both runs have steps.
StepPair shown_steps(std::span<const StepPair> pairs, int pair);

}  // namespace upsweep
