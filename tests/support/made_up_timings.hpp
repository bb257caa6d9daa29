// Makes up timings like the timings of a GPU, for pictures and sentences. Each time is a constant time per
// launch plus a time for memory traffic.
#pragma once
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "timing/timings.hpp"

namespace upsweep {

inline Spread made_up_spread(double seconds, double width = 0.02) {
  return {seconds,
          seconds * (1 - width / 2),
          seconds * (1 + width),
          seconds * (1 - width),
          seconds * (1 + 3 * width),
          21};
}

inline Timing made_up_timing(Contender who, const std::string& name, const std::string& variant, int n,
                             double seconds, double width = 0.02) {
  Timing t;
  t.contender = who;
  t.name = name;
  t.variant = variant;
  t.settings.n = n;
  t.bytes = 8.0 * n;
  t.seconds = made_up_spread(seconds, width);
  return t;
}

// A contender: a kernel, a copy, a library's function or an algorithm on the CPU. `launch` is in seconds, and
// `bandwidth` is in bytes per second. `width` is the distance between the lower and the upper quartile,
// divided by the median.
struct MadeUp {
  Contender who;
  const char* name;
  const char* variant;
  double launch, bandwidth, width;
};

inline const std::vector<MadeUp>& usual_contenders() {
  static const std::vector<MadeUp> all = {
      {Contender::copy, "cudaMemcpy", "", 1.9e-6, 4.23e12, 0.01},
      {Contender::kernel, "scan_decoupled_lookback", "", 3.1e-6, 3.9e12, 0.02},
      {Contender::kernel, "scan_blelloch", "", 5.2e-6, 0.9e12, 0.06},
      {Contender::kernel, "scan_blelloch", "pad32", 4.6e-6, 1.24e12, 0.05},
      {Contender::library, "cub::DeviceScan", "", 4.2e-6, 3.1e12, 0.03},
      {Contender::processor, "std::inclusive_scan", "", 0.2e-6, 9e9, 0.15},
  };
  return all;
}

// Returns the timings of these contenders at the first `sizes` sizes of the sweep, starting with 2^10.
inline Timings made_up_timings(const std::vector<MadeUp>& contenders = usual_contenders(), int sizes = 21) {
  Timings all;
  all.device = "NVIDIA H200";
  all.driver = "580.159.04";
  all.processor = "AMD EPYC";
  all.date = "2026-11-20T10:00:00Z";
  all.memory_bandwidth = 4.8e12;
  all.launch_overhead = made_up_spread(1.7e-6);
  for (int k = 0; k < sizes; k++)
    for (const MadeUp& m : contenders) {
      const int n = 1 << (10 + k);
      all.rows.push_back(
          made_up_timing(m.who, m.name, m.variant, n, m.launch + 8.0 * n / m.bandwidth, m.width));
    }
  return all;
}

inline Timing missing_timing(Contender who, const std::string& name, int n, const std::string& why) {
  Timing t = made_up_timing(who, name, "", n, 1);
  t.seconds = {};
  t.missing = plain(why);
  return t;
}

// Returns twelve contenders with short and long names.
inline std::vector<MadeUp> many_contenders() {
  std::vector<MadeUp> all = usual_contenders();
  const char* names[] = {"scan_hillis_steele", "scan_vector4", "scan_large", "reduce_two_pass",
                         "scan_brent_kung"};
  for (int i = 0; i < 5; i++)
    all.push_back({Contender::kernel, names[i], i == 2 ? "block=512, items=8" : "", 6e-6 + i * 3e-6,
                   6e11 / (i + 1), 0.04});
  all.push_back({Contender::library, "cub::DeviceReduce", "", 3.5e-6, 3.05e12, 0.02});
  return all;
}

}  // namespace upsweep
