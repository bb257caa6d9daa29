// Sorts the rows of a sweep into contenders, and names the contenders.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "scene/charts/charts.hpp"

namespace upsweep {

struct SweepSeries {
  Contender contender = Contender::kernel;
  int index = 0;  // the index among the contenders of its kind, in the order of their first rows
  std::string label;
  std::map<int, int> rows;  // the latest row for each n
};

// Returns the contenders in the order of their first rows, so that later rows change nothing in the earlier
// picture. For Measure::share the CPU is left out, because it has no share of a copy on the GPU.
std::vector<SweepSeries> sweep_series(const Timings& timings, Cache cache, Measure measure);

// Returns the common type and operator of all rows of these series: "float32 sum"; empty if they differ.
std::string common_settings(const Timings& timings, const std::vector<SweepSeries>& series);

// Returns the name of a contender: "copy ceiling", "scan_blelloch, pad32".
std::string contender_text(const Timing& t);
// Returns the machine, and the date of a recording: "NVIDIA H200", "NVIDIA H200, recorded 2026-11-20".
std::string origin_text(const Timings& timings);

// A row's number in a measure, and its quartiles: low ≤ value ≤ high. All are zero if the row has no number.
struct Measured {
  double value = 0, low = 0, high = 0;
};
Measured measured(const Timings& timings, const Timing& t, Measure measure);
// Returns why a row has no number in a measure; empty if it has a number.
std::string missing_text(const Timings& timings, const Timing& t, Measure measure);

}  // namespace upsweep
