// The figures of the sources that we reproduce: what each compares, what was published, and which
// measurements of ours stand beside it.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "timing/timings.hpp"

namespace upsweep {

// A bar, or a line over n.
struct FigureEntry {
  std::string label;  // "no padding"
  Contender contender = Contender::kernel;
  std::string name, variant;  // as in Timing: "scan_large", "pad32 exclusive"
  Settings settings;          // of kernels: layout and variants; n, type and operator are the figure's
  double published = 0;       // seconds; 0 where the source gives none
  int most_n = 1 << 30;       // that the kernel takes
  double peak_share = 0;      // of n: the published peak parallelism; 0 where the source gives none
};

// What the source says of two entries, as indices.
struct FigureClaim {
  int faster = 0, slower = 0;
  double factor = 0;   // how many times as fast; 0 where it says no more than which is faster
  bool up_to = false;  // at its best size
};

struct Figure {
  enum class Kind {
    ladder,     // times at one size, as bars
    sweep,      // times over sizes
    operations  // counted from recordings: operations, steps, parallelism over sizes
  } kind = Kind::ladder;
  std::string name;       // "oneflow-ladder"
  std::string title;      // "OneFlow's ladder of reductions"
  std::string source;     // "[OF] A classic problem of CUDA: reduction, OneFlow, 2021"
  std::string publisher;  // whose the published times are: "OneFlow, 2021"
  Scalar type = Scalar::float32;
  std::vector<int> sizes;  // ascending
  std::vector<FigureEntry> entries;
  std::vector<FigureClaim> claims;
  std::vector<std::string> remarks;  // where ours is not what theirs was
};

// In the order of their sources.
std::span<const Figure> figures();
// Throws RequestError naming the nearest known name.
const Figure& figure(std::string_view name);

// The figure's rows alone, by size, each under its entry's label; what a recording lacks is a row that says
// so, once for each entry or gap.
Timings rows_of(const Figure& figure, const Timings& all);
// An entry's row of what rows_of() gives; nullptr if it has none at this size.
const Timing* row_at(const Timings& rows, const FigureEntry& entry, int n);
// How many of its entries a recording has any times of.
int entries_measured(const Figure& figure, const Timings& rows);

// One entry of a figure of operations at one size: counted, and as the catalogue's formulas give it.
struct WorkCount {
  int entry = 0, n = 0;
  double operations = 0, steps = 0, peak = 0;
  double formula_operations = 0, formula_steps = 0;  // 0 where there is none
};

}  // namespace upsweep
