// Finds the two most instructive cases among many measured rows: one in which less work in shared memory
// saves time, and one in which global memory hides the difference.
#pragma once
#include <optional>
#include <string>

#include "timing/timings.hpp"

namespace upsweep {

struct TimingCase {
  Settings now,
      compared;  // the two settings; n and block are from the largest size at which both were measured.
                 // If one has more bank conflicts, it is `now`.
  std::string outcome;  // "Padding, scan_large: 1.5 × faster at 2^28"
  bool operator==(const TimingCase&) const = default;
};

struct TimingCases {
  // The change that removes bank conflicts and saves the most time at the largest size. It is padding if
  // padding saves time.
  std::optional<TimingCase> pays;
  // A change that makes no difference at the largest size, because the kernel waits for global memory. It
  // adds or removes bank conflicts if such a change exists, and makes a difference at as few sizes as
  // possible.
  std::optional<TimingCase> hidden;
};
TimingCases cases_of(const Timings& all);

}  // namespace upsweep
