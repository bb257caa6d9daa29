// Finds the two most instructive cases among many measured rows. In one case, fewer bank conflicts save
// time. In the other case, a change saves no time, because the kernel waits for global memory.
#pragma once
#include <optional>
#include <string>

#include "timing/timings.hpp"

namespace upsweep {

struct TimingCase {
  // The two settings, with n and block of the largest size at which both settings were measured. If the
  // settings differ in bank conflicts, `now` has more conflicts.
  Settings now, compared;
  std::string outcome;  // "Padding, scan_large: 1.5 × faster at 2^28"
  bool operator==(const TimingCase&) const = default;
};

struct TimingCases {
  // The change that reduces bank conflicts and makes the kernel faster by the largest factor. A change of the
  // padding is preferred to all other changes.
  std::optional<TimingCase> pays;
  // A change that makes no difference at the largest size, because the kernel waits for global memory.
  // Changes that add or remove bank conflicts are preferred, and then changes whose times are equal
  // at a larger share of the sizes.
  std::optional<TimingCase> hidden;
};
TimingCases cases_of(const Timings& all);

}  // namespace upsweep
