// The rows of a sweep sorted into contenders, and what each is called beside the others.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "scene/charts/charts.hpp"

namespace upsweep {

struct SweepSeries {
  Contender contender = Contender::kernel;
  int index = 0;  // among the contenders of its kind, in the order in which they were first measured
  std::string label;
  std::map<int, int> rows;  // by n, the latest row
};

// In the order in which they came, so that what arrives later changes nothing of what is there.
// The CPU has no share of a copy on the GPU, and is left out of that measure.
std::vector<SweepSeries> sweep_series(const Timings& timings, Cache cache, Measure measure);

// What all rows of these series have in common: "float32 sum"; empty where they differ.
std::string common_settings(const Timings& timings, const std::vector<SweepSeries>& series);

// What a contender is called: "copy ceiling", "scan_blelloch, pad32".
std::string contender_text(const Timing& t);
// Where and when: "NVIDIA H200", "NVIDIA H200, recorded 2026-11-20".
std::string origin_text(const Timings& timings);

// A row's number in a measure, and the quartiles in the same: low ≤ value ≤ high. Zero where there is none.
struct Measured {
  double value = 0, low = 0, high = 0;
};
Measured measured(const Timings& timings, const Timing& t, Measure measure);
// Why a row has no number in a measure; empty if it has one.
std::string missing_text(const Timings& timings, const Timing& t, Measure measure);

}  // namespace upsweep
