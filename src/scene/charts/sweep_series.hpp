// Groups the rows of a sweep by contender, and names the contenders.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "scene/charts/charts.hpp"

namespace upsweep {

struct SweepSeries {
  Contender contender = Contender::kernel;
  int index = 0;  // among the contenders of this kind, in the order of their first rows
  std::string label;
  std::map<int, int> rows;  // from n to the index of its latest row
};

// Returns the contenders in the order of their first rows, so that a later row does not change the colours of
// earlier lines. For Measure::share the CPU is left out, because its times cannot be compared with a copy on
// the GPU.
std::vector<SweepSeries> sweep_series(const Timings& timings, Cache cache, Measure measure);

// Returns the element type and operator of all rows: "float32 sum", or only the type if users cannot choose
// the operator. Returns an empty text if the rows differ.
std::string common_settings(const Timings& timings, const std::vector<SweepSeries>& series);

// Returns the name of a contender: "copy ceiling", "scan_blelloch, pad32".
std::string contender_text(const Timing& t);
// Returns the name of the machine, and the date if the times were recorded earlier: "NVIDIA H200, recorded
// 2026-11-20".
std::string origin_text(const Timings& timings);

// A row's value in a measure (bandwidth, time or share), with its quartiles: low ≤ value ≤ high. All three
// are zero if the row has no such value.
struct Measured {
  double value = 0, low = 0, high = 0;
};
Measured measured(const Timings& timings, const Timing& t, Measure measure);
// Returns why a row has no value in a measure. Returns an empty text if it has one.
std::string missing_text(const Timings& timings, const Timing& t, Measure measure);

}  // namespace upsweep
