// Estimates how costly runs are, so that Verification can choose among them.
#pragma once
#include "catalogue/catalogue.hpp"

namespace upsweep {

// Returns how many actions a run executes one after another. The time and the memory of a recording grow
// roughly in proportion to this number. A GPU takes almost a second to record 65,536 actions of one thread.
double in_a_row(const Algorithm& a, const Settings& s);

constexpr double long_recording = 1 << 15;         // only one recording with more actions is made at a time
constexpr double affordable_recordings = 1 << 17;  // on a GPU, for each size
// The GPU itself makes and checks longer arrays, except in runs with more than `affordable_at_full_speed`
// actions, which would take too long.
constexpr int longest_on_host = 1 << 22;
constexpr double affordable_at_full_speed = 1 << 22;

}  // namespace upsweep
