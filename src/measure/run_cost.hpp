// Estimates how costly runs are, so that Verification can choose among them.
#pragma once
#include "catalogue/catalogue.hpp"

namespace upsweep {

// Returns an estimate of the number of actions that a run executes one after another. The time and the memory
// of a recording grow roughly in proportion to this number. A GPU takes almost a second to record 65,536
// actions of one thread.
double in_a_row(const Algorithm& a, const Settings& s);

// These limits are numbers of actions that a run executes one after another, see in_a_row(). Runs beyond
// `long_recording` are recorded one at a time.
//
// A verification on a GPU makes at least one run of each size. It makes further runs of a size only if all
// runs of this size together have at most `affordable_recordings` actions. In a quick verification, the limit
// is `long_recording` instead.
constexpr double long_recording = 1 << 15;
constexpr double affordable_recordings = 1 << 17;
// If a run costs more than this (see cost()), a quick verification on a GPU records it only if it is the
// first run of its size.
constexpr double cheap_recording = 1 << 20;
// For arrays of more than `longest_on_host` elements, the GPU itself makes the data and checks the results. A
// run is left out if it executes more than `affordable_at_full_speed` actions one after another, because the
// run would take too long.
constexpr int longest_on_host = 1 << 22;
constexpr double affordable_at_full_speed = 1 << 22;
// The largest number of seconds that a run on a large array may take. A GPU cannot be stopped during a run.
// So a large run is left out if smaller runs show that the large run would take longer.
constexpr double longest_check = 2;
// A quick verification on the emulator leaves out runs that cost more than this (see cost()). A run that
// costs this much takes several seconds.
constexpr double most_quick_cost = 1 << 24;

}  // namespace upsweep
