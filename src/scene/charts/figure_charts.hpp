// Draws figures of papers and articles: the published numbers beside the numbers that were measured or
// counted here. Sentences below the figure say if our measured times have the same order as the published
// times. figure_csv() writes all numbers as CSV.
#pragma once
#include <string>
#include <vector>

#include "analysis/facts.hpp"
#include "scene/charts/charts.hpp"
#include "timing/figures.hpp"
#include "words/does_it_matter.hpp"

namespace upsweep {

// Two entries of a figure. `faster` is faster than `slower` according to the published times, but not
// according to our times at the size n.
struct Unlike {
  int faster = 0, slower = 0, n = 0;  // indices into Figure::entries, and the size
  Verdict verdict = Verdict::same;    // the order of our times: the opposite order, or no difference
};
// Returns the pairs of our kernels whose published order differs from the order of our times. Compares
// kernels with neighbouring published times, and kernels for which the source claims "A is faster than B".
// Ignores claims such as "A may be faster" and "A is 2 × as fast".
//
// Ignores sizes that are so large that counting the operations would take too long.
//
// The size n of a pair is the largest size at which our times have the opposite order. If no size has the
// opposite order, n is the largest size at which our times do not differ.
std::vector<Unlike> unlike_the_source(const Figure& figure, const Timings& rows);

// The exact counts of one entry at one size n. The counts come from a recording, and cover all launches and
// all blocks of a run.
struct EntryCounts {
  int entry = 0, n = 0;
  int launches = 0;  // the number of launches by the host
  Totals totals;
};

// Returns a size of the figure as text, such as "16 Ki", or "512 × 512" for square pictures.
std::string size_name(const Figure& figure, int n);

// Returns the sentences below a figure. The sentences say which published claims are true for our times,
// which numbers are missing and why, and how our kernels differ from the published kernels.
//
// If `counted` contains both entries of a pair from unlike_the_source(), a sentence compares the counts of
// these entries. Requires that `rows` come from rows_of().
std::vector<std::string> figure_notes(const Figure& figure, const Timings& rows,
                                      const std::vector<EntryCounts>& counted = {});
// Returns the sentences below a figure of counts. The sentences say how many counts equal their formulas and
// which counts differ. The remarks and the name of the book or article follow.
std::vector<std::string> figure_notes(const Figure& figure, const std::vector<WorkCount>& counts);
// Returns the sentences of figure_notes() with no-break spaces between numbers and units.
std::vector<std::string> notes_to_wrap(const Figure& figure, const Timings& rows,
                                       const std::vector<EntryCounts>& counted);

Scene draw_figure(const Figure& figure, const Timings& rows, const ChartFrame& frame,
                  const std::vector<EntryCounts>& counted = {});
Scene draw_figure(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

// Draws one chart over n for each of three numbers: the operations, the steps and the average parallelism.
// Counts are points, and formulas are lines.
Scene draw_counts(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

}  // namespace upsweep
