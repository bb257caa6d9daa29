// Where times come from: measured here since the window opened, from a file, or recorded on another machine
// and built into the program (assets/timings).
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "study/timing_cases.hpp"

namespace upsweep {

inline constexpr std::string_view timings_extension = ".json";

struct TimingSource {
  std::string name;  // "nvidia-h200"; of a file its name; "this computer"
  std::shared_ptr<const Timings> timings;
  bool live = false;            // measured here, since the window opened
  int least_n = 0, most_n = 0;  // the sizes that it spans, or will once it is complete
  TimingCases cases = {};       // of what is not live
};

// Of timings that are complete.
TimingSource source_of(std::string name, Timings timings, bool live = false);

// Those that come with the program, by name.
std::vector<TimingSource> shipped_sources();

// What tells a source from the others in few words: "NVIDIA H200, recorded 2026-11-21", "this computer,
// live".
std::string short_text(const TimingSource& source, bool with_date = true);
// All of it: "recorded on NVIDIA H200, 2026-11-21 · driver 580.159.04 · Upsweep 0.1.0".
std::string origin_line(const TimingSource& source);

}  // namespace upsweep
