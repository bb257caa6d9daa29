// Describes a source of times. The times were measured here since the window opened, or read from a file, or
// recorded on another machine and built into the program (assets/timings).
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "study/timing_cases.hpp"

namespace upsweep {

inline constexpr std::string_view timings_extension = ".json";

struct TimingSource {
  std::string name;  // "nvidia-h200", a file's name, or "this computer"
  std::shared_ptr<const Timings> timings;
  bool live = false;            // the times were measured here since the window opened
  int least_n = 0, most_n = 0;  // the smallest and the largest size, including sizes that will be measured
  TimingCases cases = {};       // examples of changes (see TimingCases); empty if the source is live
};

// Makes a source of timings. If the source is not live, finds its TimingSource::cases.
TimingSource source_of(std::string name, Timings timings, bool live = false);

// Returns the sources that come with the program, sorted by name.
std::vector<TimingSource> shipped_sources();

// Returns a short text that distinguishes the source from other sources, such as "NVIDIA H200, recorded
// 2026-11-21" or "this computer, live".
std::string short_text(const TimingSource& source, bool with_date = true);
// Returns a line that says where the times come from: "recorded on NVIDIA H200, 2026-11-21 · driver
// 580.159.04 · Upsweep 0.1.0".
std::string origin_line(const TimingSource& source);

}  // namespace upsweep
