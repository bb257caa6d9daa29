// Describes figures of books and articles that Upsweep reproduces: what each figure compares, the published
// numbers, and our own measurements for it.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "timing/timings.hpp"

namespace upsweep {

// An entry of a figure: one bar at each size, or one curve over the sizes.
struct FigureEntry {
  std::string label;  // "no padding"
  Contender contender = Contender::kernel;
  std::string name, variant;      // as in Timing: "scan_large", "pad32 exclusive"
  Settings settings;              // the choices of a kernel or part; Figure has n and the type
  std::vector<std::string> part;  // for Contender::part: the kernels whose launches are timed
  std::vector<double>
      published;  // the published seconds for each size of the figure; empty if no times were published
  int most_n = 1 << 30;   // the largest n that the kernel accepts
  double peak_share = 0;  // the published peak parallelism divided by n; 0 if none was published
};

// A published claim about two entries of a figure: `faster` is faster than `slower`. `faster` and `slower`
// are indices into Figure::entries.
struct FigureClaim {
  int faster = 0, slower = 0;
  double factor = 0;   // the speed of `faster` divided by the speed of `slower`; 0 if it was not published
  bool up_to = false;  // true if only the largest factor of all sizes was published
  bool may = false;    // true if the source only claims that `faster` may be faster
};

struct Figure {
  enum class Kind {
    ladder,     // a bar for each time, grouped by size
    sweep,      // a curve of times over the sizes
    operations  // operations, steps and average parallelism at each size, counted in recordings
  } kind = Kind::ladder;
  std::string name;          // "oneflow-ladder"
  std::string title;         // "OneFlow's ladder of reductions"
  std::string source;        // "[OF] A classic problem of CUDA: reduction, OneFlow, 2021"
  std::string publisher;     // who published the times, and when: "OneFlow, 2021"
  std::string what = "sum";  // what the entries of a ladder compute
  Scalar type = Scalar::float32;
  bool has_operator = true;  // whether users can choose the operator; if so, the heading names it
  std::vector<int> sizes;    // ascending
  bool squares = false;      // true if each size is the number of pixels of a square picture
  std::vector<FigureEntry> entries;
  std::vector<FigureClaim> claims;
  std::vector<std::string> remarks;  // how our version differs from the published version
  bool throughput = false;  // whether the notes also state the throughput: bytes of the array per second
};

// Returns all figures. Figures of one book or article are next to each other.
std::span<const Figure> figures();
// Returns the figure with this name. If there is no such figure, throws RequestError, which suggests the most
// similar name.
const Figure& figure(std::string_view name);

// Returns only the rows that belong to the figure, sorted by size, each with the label of its entry. If a row
// of an entry is missing, adds a row that has the reason instead of times.
Timings rows_of(const Figure& figure, const Timings& all);
// Returns an entry's row at a size in the result of rows_of(), or nullptr.
const Timing* row_at(const Timings& rows, const FigureEntry& entry, int n);
// Returns the published seconds of an entry at one of the figure's sizes, or 0.
double published(const Figure& figure, const FigureEntry& entry, int n);
// Returns the number of the figure's entries that have times in `rows`.
int entries_measured(const Figure& figure, const Timings& rows);

// The counts of one entry at one size n, and the counts that the catalogue's formulas predict. Only figures
// of the kind `operations` have these counts.
struct WorkCount {
  int entry = 0, n = 0;
  double operations = 0, steps = 0, span = 0, peak = 0;
  double formula_operations = 0, formula_steps = 0, formula_span = 0;  // 0 if there is no formula
};

}  // namespace upsweep
