// Draws charts of measured times. Like a view, a chart converts plain data, a size and a theme into a scene.
// So the window, SVG and PDF show the same picture. The id of each point is a TimeId with the index of the
// point's row.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/language.hpp"
#include "scene/scene.hpp"
#include "scene/theme.hpp"
#include "timing/timings.hpp"

namespace upsweep {

// The theme and the size of a chart. `hover` is the row under the mouse (see TimeId), or -1.
struct ChartFrame {
  const Theme& theme;
  float width, height;  // dp
  int hover = -1;
};

enum class Measure {
  bandwidth,  // in bytes per second
  time,       // the median time in seconds
  share       // the bandwidth divided by the bandwidth of a plain copy
};

// The times of contenders (kernels, libraries, a plain copy and the CPU) for many sizes n. Each contender has
// one line, and a band shows the quartiles.
struct SizeSweep {
  const Timings& timings;
  Measure measure = Measure::bandwidth;
  // The shown cache state. Rows with the other cache state are left out, except the CPU's rows.
  Cache cache = Cache::cold;
  std::span<const int> pinned = {};  // rows whose numbers are always visible
  // The index of a row of the kernel that is open in the window, or -1. The chart emphasises this kernel.
  int chosen = -1;
  // The range of sizes that will be measured. The axis covers this range from the start, so that the axis
  // does not move when new points arrive.
  int least_n = 1 << 10, most_n = 1 << 30;
  std::string title = tr_noop("Size sweep");
  // True if all rows have arrived. The vertical axis then fits the values of the rows.
  bool complete = false;
};
Scene draw_size_sweep(const SizeSweep& sweep, const ChartFrame& frame);

// Returns a text about a row, such as "scan_blelloch, pad32 · 1 Mi · 1,234 GB/s · 6.80 µs (quartiles 6.71 µs
// – 6.90 µs, 20 runs) · …".
std::string timing_text(const Timings& all, const Timing& t);
// Returns the parts of timing_text(): the contender, the size, and each number. If the row has no times, a
// text that says why replaces the numbers.
std::vector<std::string> timing_parts(const Timings& all, const Timing& t);

struct Rung {
  std::string name;
  Spread seconds;
  double published = 0;  // the published time in seconds; 0 if no time was published
  std::string missing;   // the reason why nothing was measured; otherwise empty
  bool chosen = false;   // true if the kernel of this rung (bar) is open in the window
  double bytes = 0;      // the number of bytes that the kernel moves
  // The text that replaces a published time if only a factor was published, such as "3.42 ×, over naive".
  std::string published_text = {};
  std::string note = {};  // a text beside the median, such as "2,048 excess"
  // If there is not enough room for all rungs, rungs with kept = false are left out first.
  bool kept = false;
};

// The stages of an optimisation as bars, in the given order. If the bars show times and one bar is far longer
// than the other bars, a break shortens this bar.
struct Ladder {
  std::string title;  // such as "OneFlow's ladder"
  std::string what;   // such as "sum of 4 Mi float32"
  std::string here;   // the machine that measured our times, such as "NVIDIA H200"
  // The publisher and the GPU of the published times, such as "OneFlow, V100".
  std::string published_by;
  std::vector<Rung> rungs;
  bool bandwidth = false;  // bars show GB/s instead of µs
};
Scene draw_ladder(const Ladder& ladder, const ChartFrame& frame);
// The bandwidths in GB/s of all contenders (kernels, libraries, copies and the CPU) that have a row for the
// size n. The fastest contender is first. Contenders without a measured time are last. ladder.rungs[i] shows
// the row timings.rows[rows[i]].
//
// `chosen` is the index of a row, and `kept` contains indices of rows. Rung::chosen and Rung::kept are set in
// the rungs of the contenders to which these rows belong.
struct AtFullSize {
  Ladder ladder;
  std::vector<int> rows;
};
AtFullSize at_full_size(const Timings& timings, int n, Cache cache = Cache::cold, int chosen = -1,
                        std::span<const int> kept = {});

struct RooflinePoint {
  std::string name;
  double operations_per_byte = 0, operations_per_second = 0;
  std::string missing;  // the reason why nothing was measured; otherwise empty
  Contender contender = Contender::kernel;
};
// An upper bound on operations per second: a sloped line (the bandwidth of a memory) or a horizontal line.
struct Roof {
  std::string name;                  // such as "copy: 4,020 GB/s" or "empty kernel: 1.70 µs"
  double bytes_per_second = 0;       // the bandwidth of a sloped line; 0 for a horizontal line
  double operations_per_second = 0;  // the height of a horizontal line
};
struct Roofline {
  std::string what;  // such as "sum of 256 Mi float32 · NVIDIA H200"
  std::vector<Roof> roofs;
  std::vector<RooflinePoint> points;
};
Scene draw_roofline(const Roofline& roofline, const ChartFrame& frame);
// The roofline of all times that were measured at the size n. The roofline is empty if no kernel, library or
// CPU has a row for n. points[i] belongs to timings.rows[rows[i]].
//
// A reduction or a scan of n elements counts as n − 1 operations, even if its algorithm does more operations.
// The bounds are the copy ceiling, the bandwidth in the data sheet, and the time to launch a kernel. A sort
// has one more bound: the time of a copy that moves the bytes of all passes.
struct RooflineOf {
  Roofline roofline;
  std::vector<int> rows;
};
RooflineOf roofline_of(const Timings& timings, int n, Cache cache = Cache::cold);

}  // namespace upsweep
