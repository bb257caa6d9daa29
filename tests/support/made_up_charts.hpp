// Draws charts of made-up data.
#pragma once
#include <string_view>
#include <vector>

#include "scene/charts/charts.hpp"
#include "support/made_up_timings.hpp"

namespace upsweep {

inline std::vector<Scene::Target> targets(const Scene& scene, int row) {
  std::vector<Scene::Target> found;
  for (const Scene::Target& t : scene.targets)
    if (const TimeId* time = as<TimeId>(t.id); time != nullptr && time->row == row) found.push_back(t);
  return found;
}

inline Timings with_gaps() {
  Timings all = made_up_timings();
  for (Timing& t : all.rows) {
    const bool large = t.settings.n >= 1 << 29, middle = t.settings.n == 1 << 19;
    if (t.name == "cub::DeviceScan" && large)
      t = missing_timing(t.contender, t.name, t.settings.n, "the device is out of memory");
    if (t.name == "scan_decoupled_lookback" && (middle || t.settings.n == 1 << 20))
      t = missing_timing(t.contender, t.name, t.settings.n, "cancelled");
  }
  return all;
}

inline int row_of(const Timings& all, std::string_view name, int n) {
  for (std::size_t i = 0; i < all.rows.size(); i++)
    if (all.rows[i].name == name && all.rows[i].settings.n == n) return static_cast<int>(i);
  return -1;
}

inline Ladder oneflow(bool published = true) {
  Ladder l{.title = "OneFlow's ladder",
           .what = "sum of 4 Mi float32",
           .here = "NVIDIA H200",
           .published_by = "OneFlow, V100",
           .rungs = {}};
  const struct {
    const char* name;
    double ours, theirs;
  } rungs[] = {{"interleaved addressing", 118e-6, 990e-6}, {"no divergence", 74e-6, 560e-6},
               {"sequential addressing", 61.5e-6, 420e-6}, {"first add while loading", 34.2e-6, 231e-6},
               {"last warp unrolled", 24.8e-6, 145e-6},    {"warp shuffles", 14.1e-6, 92e-6},
               {"vectorised loads", 8.42e-6, 0},           {"cub::DeviceReduce", 9.9e-6, 88.4e-6}};
  for (const auto& r : rungs)
    l.rungs.push_back({r.name, made_up_spread(r.ours, 0.05), published ? r.theirs : 0, "", false});
  l.rungs[6].chosen = true;
  return l;
}

inline Scene sweep(const Timings& all, const ChartFrame& f, Measure m = Measure::bandwidth,
                   std::vector<int> pinned = {}) {
  return draw_size_sweep({.timings = all, .measure = m, .pinned = pinned}, f);
}

}  // namespace upsweep
