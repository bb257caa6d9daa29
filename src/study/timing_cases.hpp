// Of many measured rows two that teach: where less work in shared memory pays, and where global memory hides
// it.
#pragma once
#include <optional>
#include <string>

#include "timing/timings.hpp"

namespace upsweep {

struct TimingCase {
  Settings now, twin;   // that are compared; n and block are those of the largest size measured of both
  std::string outcome;  // "Padding, scan_large: 1.5 × faster at 2^28"
  bool operator==(const TimingCase&) const = default;
};

struct TimingCases {
  // The change that removes bank conflicts and saves most time at the largest size; padding where it does.
  std::optional<TimingCase> pays;
  // A change that makes no difference there, since the kernel waits for global memory: one that adds or
  // removes bank conflicts where there is any, and makes a difference at as few sizes as may be.
  std::optional<TimingCase> hidden;
};
TimingCases cases_of(const Timings& all);

}  // namespace upsweep
