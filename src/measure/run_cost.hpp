// Estimates the costs of runs for Verification.
#pragma once
#include "catalogue/catalogue.hpp"

namespace upsweep {

// Returns how many actions a run executes one after another. The time and memory of a recording are roughly
// proportional to this number. A GPU takes almost a second to record 65,536 actions of one thread.
double in_a_row(const Algorithm& a, const Settings& s);

constexpr double long_recording = 1 << 15;         // only one such recording is made at a time
constexpr double affordable_recordings = 1 << 17;  // on a GPU, for each size
// Longer arrays are checked by the GPU itself, if its kernels need only a fraction of a second.
constexpr int longest_on_host = 1 << 22;
constexpr double affordable_at_full_speed = 1 << 22;

}  // namespace upsweep
