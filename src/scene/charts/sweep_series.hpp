// Groups the rows of a sweep by contender (a kernel with its variant, a library, a plain copy or the CPU),
// and names the contenders.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "scene/charts/charts.hpp"

namespace upsweep {

struct SweepSeries {
  Contender contender = Contender::kernel;
  int index = 0;  // the number of earlier series with the same `contender`
  std::string label;
  std::map<int, int> rows;  // maps n to the index of the latest row of this size
};

// Returns one series for each contender (a kernel, a library, a plain copy or the CPU), in the order of the
// contenders' first rows. So a new row does not change the colours of earlier lines. For Measure::share,
// leaves out the CPU, because the CPU's times cannot be compared with a copy on the GPU.
std::vector<SweepSeries> sweep_series(const Timings& timings, Cache cache, Measure measure);

// Returns the element type and the operator of all rows, such as "float32 sum". Returns only the type if
// users cannot choose the operator. Returns an empty text if the rows differ.
std::string common_settings(const Timings& timings, const std::vector<SweepSeries>& series);

// Returns the name of a contender, such as "copy ceiling" or "scan_blelloch, pad32".
std::string contender_text(const Timing& t);
// Returns the name of the machine that measured the times. If the times come from a file, adds the date:
// "NVIDIA H200, recorded 2026-11-20".
std::string origin_text(const Timings& timings);

// The value of a row (its bandwidth, time or share) with the quartiles: low ≤ value ≤ high. If the row has no
// value, all three numbers are zero.
struct Measured {
  double value = 0, low = 0, high = 0;
};
Measured measured(const Timings& timings, const Timing& t, Measure measure);
// Returns the reason why a row has no bandwidth, time or share (`measure` says which). Returns an empty text
// if the row has this value.
std::string missing_text(const Timings& timings, const Timing& t, Measure measure);

}  // namespace upsweep
