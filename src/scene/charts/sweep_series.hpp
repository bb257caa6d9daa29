// The rows of a sweep, sorted into contenders, and the names of these contenders.
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
  std::map<int, int> rows;  // by n: the latest row
};

// Returns the contenders in the order in which they came, so that later rows change nothing of the earlier
// picture. The CPU has no share of a copy on the GPU, and is left out of that measure.
std::vector<SweepSeries> sweep_series(const Timings& timings, Cache cache, Measure measure);

// Returns the common type and operator of all rows of these series: "float32 sum"; empty if they differ.
std::string common_settings(const Timings& timings, const std::vector<SweepSeries>& series);

// Returns a contender's name: "copy ceiling", "scan_blelloch, pad32".
std::string contender_text(const Timing& t);
// Returns the machine and the date: "NVIDIA H200", "NVIDIA H200, recorded 2026-11-20".
std::string origin_text(const Timings& timings);

// A row's number in a measure, and its quartiles: low ≤ value ≤ high. All are zero if there is no number.
struct Measured {
  double value = 0, low = 0, high = 0;
};
Measured measured(const Timings& timings, const Timing& t, Measure measure);
// Returns why a row has no number in a measure; empty if it has one.
std::string missing_text(const Timings& timings, const Timing& t, Measure measure);

}  // namespace upsweep
