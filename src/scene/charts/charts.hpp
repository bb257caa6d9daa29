// Charts of measured times. A chart, like a view, turns plain data, a size and a theme into a scene, so that
// the window, SVG and PDF show the same picture. Each point of a chart has a TimeId with the index of its row
// of data.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/language.hpp"
#include "scene/scene.hpp"
#include "scene/theme.hpp"
#include "timing/timings.hpp"

namespace upsweep {

// The theme and size of a chart. `hover` is the row of the TimeId under the mouse, or -1.
struct ChartFrame {
  const Theme& theme;
  float width, height;  // dp
  int hover = -1;
};

enum class Measure {
  bandwidth,  // bytes per second
  time,       // the median, in seconds
  share       // the fraction of the copy ceiling
};

// The times of contenders over sizes n: one line for each contender, with its quartiles as a band.
struct SizeSweep {
  const Timings& timings;
  Measure measure = Measure::bandwidth;
  Cache cache = Cache::cold;         // rows with the other cache state are left out, except the CPU's
  std::span<const int> pinned = {};  // rows whose numbers are always shown
  int chosen = -1;  // a row of the contender that is open in the window; this contender is emphasised
  // The range of sizes that will be measured. The axis covers this range from the start, so that it does not
  // move while points arrive.
  int least_n = 1 << 10, most_n = 1 << 30;
  std::string title = tr_noop("Size sweep");
  bool complete = false;  // whether all rows have arrived; if so, the vertical axis fits their values
};
Scene draw_size_sweep(const SizeSweep& sweep, const ChartFrame& frame);

// Returns the text about a row: "scan_blelloch, pad32 · 1 Mi · 1,234 GB/s · 6.80 µs (quartiles 6.71 µs – 6.90
// µs, 20 runs) · …".
std::string timing_text(const Timings& all, const Timing& t);
// Returns the parts of timing_text(): the contender, the size, and each number. If nothing was measured, the
// reason replaces the numbers.
std::vector<std::string> timing_parts(const Timings& all, const Timing& t);

struct Rung {
  std::string name;
  Spread seconds;
  double published = 0;             // the published time in seconds, or 0
  std::string missing;              // why nothing was measured
  bool chosen = false;              // the window shows this kernel
  double bytes = 0;                 // the bytes that the kernel moves
  std::string published_text = {};  // shown if only a factor was published: "3.42 ×, over naive"
  std::string note = {};            // drawn beside the median: "2,048 excess"
  bool kept = false;                // is left out only after all rungs that are not kept
};

// The stages of an optimisation as bars, in the given order. A bar of time that is far longer than the others
// is drawn with a break.
struct Ladder {
  std::string title;         // "OneFlow's ladder"
  std::string what;          // "sum of 4 Mi float32"
  std::string here;          // the machine of the measured times: "NVIDIA H200"
  std::string published_by;  // the publisher and GPU of the published times: "OneFlow, V100"
  std::vector<Rung> rungs;
  bool bandwidth = false;  // bars show GB/s instead of µs
};
Scene draw_ladder(const Ladder& ladder, const ChartFrame& frame);
// The bandwidths of all contenders with a row for size n, in GB/s. The fastest is first; contenders that
// could not be measured are last. rungs[i] belongs to timings.rows[rows[i]]. The contender of the row
// `chosen` is chosen, and the contenders of the rows `kept` are kept.
struct AtFullSize {
  Ladder ladder;
  std::vector<int> rows;
};
AtFullSize at_full_size(const Timings& timings, int n, Cache cache = Cache::cold, int chosen = -1,
                        std::span<const int> kept = {});

struct RooflinePoint {
  std::string name;
  double operations_per_byte = 0, operations_per_second = 0;
  std::string missing;  // why nothing was measured
  Contender contender = Contender::kernel;
};
// An upper bound on operations per second: a memory's bandwidth (a slope) or a constant.
struct Roof {
  std::string name;                  // "copy: 4,020 GB/s", "empty kernel: 1.70 µs"
  double bytes_per_second = 0;       // the slope of the memory's bound; 0 for a constant
  double operations_per_second = 0;  // the height of a constant bound
};
struct Roofline {
  std::string what;  // "sum of 256 Mi float32 · NVIDIA H200"
  std::vector<Roof> roofs;
  std::vector<RooflinePoint> points;
};
Scene draw_roofline(const Roofline& roofline, const ChartFrame& frame);
// The roofline of everything that was measured at size n; empty if nothing was. A reduction or a scan of n
// elements counts as n − 1 operations, even if its algorithm does more. The bounds are the copy ceiling, the
// data sheet's bandwidth, and the launch overhead. A sort has one more bound: the time of a copy that moves
// the bytes of all passes. points[i] belongs to timings.rows[rows[i]].
struct RooflineOf {
  Roofline roofline;
  std::vector<int> rows;
};
RooflineOf roofline_of(const Timings& timings, int n, Cache cache = Cache::cold);

}  // namespace upsweep
