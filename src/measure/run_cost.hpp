// Estimates how costly runs are, so that Verification can choose among them.
#pragma once
#include "catalogue/catalogue.hpp"

namespace upsweep {

// Returns an estimate of how many actions a run executes one after another. The time and the memory of a
// recording grow roughly in proportion to this number. A GPU takes almost a second to record 65,536 actions
// of one thread.
double in_a_row(const Algorithm& a, const Settings& s);

// These limits are numbers of actions. Recordings beyond `long_recording` are made one at a time. After the
// first recording of a size on a GPU, the others are left out if all together would have more than
// `affordable_recordings` actions (in a quick verification: `long_recording`).
constexpr double long_recording = 1 << 15;
constexpr double affordable_recordings = 1 << 17;
// Of the runs of one size that cost more (see cost()), a quick verification on a GPU records only the first.
constexpr double cheap_recording = 1 << 20;
// For arrays of more than `longest_on_host` elements, the GPU itself makes the data and checks the results.
// Runs with more than `affordable_at_full_speed` actions would take too long and are left out.
constexpr int longest_on_host = 1 << 22;
constexpr double affordable_at_full_speed = 1 << 22;
// A GPU cannot be stopped during a run. Therefore a run on a large array is left out if it would take more
// seconds than this, as smaller runs show.
constexpr double longest_check = 2;
// A quick verification on the emulator leaves out runs that cost more (see cost()). A run of this cost takes
// several seconds.
constexpr double most_quick_cost = 1 << 24;

}  // namespace upsweep
