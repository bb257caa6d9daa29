// The costs of the runs of Verification.
#pragma once
#include "catalogue/catalogue.hpp"

namespace upsweep {

// Returns the number of actions that a run executes one after another. The cost of a recording in time and
// memory is roughly proportional to it. A GPU takes most of a second to record 65,536 actions of one thread.
double in_a_row(const Algorithm& a, const Settings& s);

constexpr double long_recording = 1 << 15;         // two of these are not made at the same time
constexpr double affordable_recordings = 1 << 17;  // on a GPU, for each size
// A GPU checks longer arrays itself, as far as its kernels end in a fraction of a second.
constexpr int longest_on_host = 1 << 22;
constexpr double affordable_at_full_speed = 1 << 22;

}  // namespace upsweep
