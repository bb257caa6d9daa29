// Makes up times for the published figures, under the names that `upsweep bench` uses.
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "support/made_up_timings.hpp"
#include "timing/figures.hpp"

namespace upsweep {

// Returns the seconds of a figure's entry at size n. `entry` is the index of the entry.
using MadeUpSeconds = std::function<double(int entry, int n)>;

inline Timings made_up_figure(const Figure& f, const MadeUpSeconds& seconds) {
  Timings all = made_up_timings({}, 0);
  all.recorded = "h200.json";
  for (const int n : f.sizes)
    for (std::size_t i = 0; i < f.entries.size(); i++) {
      const FigureEntry& e = f.entries[i];
      if (n > e.most_n) continue;
      Timing t = made_up_timing(e.contender, e.name, e.variant, n, seconds(static_cast<int>(i), n));
      if (is_of_catalogue(e.contender)) {
        t.settings = e.settings;
        t.settings.n = n;
        t.settings.block = std::clamp(smallest_block(algorithm(e.name), t.settings), 32, 1024);
      }
      t.settings.type = f.type;
      t.cache = Cache::cold;
      all.rows.push_back(t);
    }
  return all;
}

// Returns the time of an entry, in seconds: a constant time per launch, plus a time for memory traffic. Both
// times are longer for entries with a higher index.
inline double usual_seconds(int entry, int n) { return (3 + entry) * 1e-6 + 8.0 * n / (3e12 / (1 + entry)); }

// Returns times that are a third of the published times, with two exceptions: the entry "warp" is faster than
// the entry after it, and one entry lacks a measurement.
inline Timings made_up_oneflow() {
  const Figure& f = figure("oneflow-ladder");
  Timings all = made_up_figure(f, [&](int i, int) {
    const FigureEntry& e = f.entries[static_cast<std::size_t>(i)];
    const double published = (e.published.empty() ? 39.5e-6 : e.published[0]) / 3;
    return e.label == "warp" ? published * 0.9 : published;
  });
  all.rows.front() = missing_timing(Contender::kernel, "reduce_serial", 1 << 22,
                                    "Left out: 1048576 elements took 31 ms, and a run that may take longer "
                                    "than 80 ms could not be cancelled in time.");
  return all;
}

// Returns times of scans. In one block, padding saves time only for n >= 512, and unrolling costs time only
// for n = 64.
inline Timings made_up_gems_39_8() {
  return made_up_figure(figure("gems-39-8"), [](int i, int n) {
    const double base = 4e-6 + 8.0 * n / 1.1e12;
    const double factors[] = {1, n < 512 ? 1.002 : 1.2, n < 128 ? 0.95 : 1.1, 1.1, 1.5, 1.05};
    return base * factors[i];
  });
}

inline Timings made_up_gems_39_7() {
  return made_up_figure(figure("gems-39-7"), [](int i, int n) {
    if (i == 0) return 0.2e-6 + n / 1.6e9;
    if (i == 3) return 8e-6 + 16.0 * n / 4e12;
    return i == 1 ? 11e-6 + 16.0 * n / 1.4e12 : 9e-6 + 16.0 * n / 2.6e12;
  });
}

// Returns times in which each rung (method of the ladder) is faster than the rung before it.
inline Timings made_up_gems_39_11() {
  return made_up_figure(figure("gems-39-11"), [](int i, int n) {
    const double launches[] = {2 + std::log2(n), 4, 3, 1, 2};
    const double bytes_of_element[] = {8 * std::log2(n), 30, 10, 6, 6};
    return 2e-6 * launches[i] + bytes_of_element[i] * n / 4e12;
  });
}

// Returns times in which the transposes take longer than moving the channels. In the published times, the
// transposes take less time than moving the channels.
inline Timings made_up_gems_table_39_1() {
  return made_up_figure(figure("gems-table-39-1"), [](int i, int n) {
    const double us[] = {9, 10.5, 16, 38, 8.2};
    return us[i] * 1e-6 * (n > 512 * 512 ? 2.1 : 1);
  });
}

inline Timings made_up_csdn() {
  return made_up_figure(figure("csdn-unrolling"), [](int i, int) {
    const double us[] = {118, 31.4, 27.2, 25.1, 25.9, 25.3, 96, 30.2, 26.4, 24.8};
    return us[i] * 1e-6;
  });
}

inline std::vector<WorkCount> made_up_counts() {
  const Figure& f = figure("w4-operations");
  std::vector<WorkCount> counts;
  for (int e = 0; e < static_cast<int>(f.entries.size()); e++)
    for (const int n : f.sizes) {
      const double log = std::log2(n), m = n;
      const double operations[] = {m - 1, m * log - (m - 1), 2 * m - 3 - (log - 1), 2 * (m - 1), m - 1};
      const double steps[] = {log, log, 2 * log - 1, 2 * log, m - 1};
      const double span[] = {log, log, 2 * log - 2, 2 * log - 1, m - 1};
      const double peak[] = {m / 2, m - 1, m / 2, m / 2, 1};
      counts.push_back({e, n, operations[e], steps[e], span[e], peak[e], operations[e], steps[e], span[e]});
    }
  return counts;
}

}  // namespace upsweep
