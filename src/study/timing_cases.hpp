// Finds the two most instructive cases among many measured rows. In one case, less work in shared memory
// saves time. In the other case, such a change saves no time, because the kernel waits for global memory.
#pragma once
#include <optional>
#include <string>

#include "timing/timings.hpp"

namespace upsweep {

struct TimingCase {
  // The two settings, with n and block of the largest size at which both were measured. If they
  // differ in bank conflicts, `now` has more.
  Settings now, compared;
  std::string outcome;  // "Padding, scan_large: 1.5 × faster at 2^28"
  bool operator==(const TimingCase&) const = default;
};

struct TimingCases {
  // The change that removes bank conflicts and saves the most time at the largest size. If padding saves
  // time, the change is padding.
  std::optional<TimingCase> pays;
  // A change that makes no difference at the largest size, because the kernel waits for global memory.
  // Changes that add or remove bank conflicts are preferred. Among these, the change that makes a difference
  // at the fewest sizes is taken.
  std::optional<TimingCase> hidden;
};
TimingCases cases_of(const Timings& all);

}  // namespace upsweep
