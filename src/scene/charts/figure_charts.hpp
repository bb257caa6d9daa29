// Draws figures of papers and articles: the published numbers beside the numbers that were measured or
// counted here. Sentences below the figure say whether the published order holds here. All numbers are also
// available as CSV.
#pragma once
#include <string>
#include <vector>

#include "analysis/facts.hpp"
#include "scene/charts/charts.hpp"
#include "timing/figures.hpp"
#include "words/does_it_matter.hpp"

namespace upsweep {

// Two kernels in a figure whose published order does not hold here, at one size.
struct Unlike {
  int faster = 0, slower = 0, n = 0;  // indices of the entries that the source calls faster and slower
  Verdict verdict = Verdict::same;    // here `faster` is slower than `slower`, or there is no difference
};
// Returns the claims that do not hold here. In a sweep, each claim is returned for one size: the largest size
// with the opposite order, or else the largest size with no difference. Sizes at which counting takes too
// long are left out. In a ladder, each pair of neighbours whose published order does not hold is returned.
std::vector<Unlike> unlike_the_source(const Figure& figure, const Timings& rows);

// The exact counts of one entry at one size n, over all launches and blocks of a run, from a recording.
struct EntryCounts {
  int entry = 0, n = 0;
  int launches = 0;  // only launches by the host
  Totals totals;
};

// Returns the sentences below a figure. They say whether the source's claims hold here, and if not, which
// counts may be the reason. They also say what is missing and why, and how our kernels differ from the
// source's. `rows` must come from rows_of(). `counted` must contain the counts of both entries of each Unlike
// that unlike_the_source() returns.
std::vector<std::string> figure_notes(const Figure& figure, const Timings& rows,
                                      const std::vector<EntryCounts>& counted = {});
std::vector<std::string> figure_notes(const Figure& figure, const std::vector<WorkCount>& counts);
// Returns the sentences of figure_notes(), with no-break spaces between numbers and their units.
std::vector<std::string> notes_to_wrap(const Figure& figure, const Timings& rows,
                                       const std::vector<EntryCounts>& counted);

Scene draw_figure(const Figure& figure, const Timings& rows, const ChartFrame& frame,
                  const std::vector<EntryCounts>& counted = {});
Scene draw_figure(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

// Draws the counts as points on the lines of their formulas: operations, steps, and their ratio.
Scene draw_counts(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

}  // namespace upsweep
