// Figures of papers and articles as pictures: the published numbers beside the numbers measured or counted
// here. Sentences below say whether the published order holds. All numbers are also available as CSV.
#pragma once
#include <string>
#include <vector>

#include "analysis/facts.hpp"
#include "scene/charts/charts.hpp"
#include "timing/figures.hpp"
#include "words/does_it_matter.hpp"

namespace upsweep {

// Two kernels' entries whose published order does not hold here, at one size.
struct Unlike {
  int faster = 0, slower = 0, n = 0;  // indices; the faster and the slower entry in the source
  Verdict verdict = Verdict::same;    // how the source's faster entry compares here: no difference, or slower
};
// Returns the claims that do not hold here. A claim of a sweep is returned for one size: the largest size
// with the opposite order, or else the largest size with no difference. Sizes that take long to count are
// left out. A ladder returns every pair of neighbours whose published order does not hold.
std::vector<Unlike> unlike_the_source(const Figure& figure, const Timings& rows);

// The exact counts of an entry for one whole run at a size, over all launches and blocks, from a recording.
struct EntryCounts {
  int entry = 0, n = 0;
  int launches = 0;  // launches by the host
  Totals totals;
};

// Returns the sentences below a figure, computed from the numbers: whether the source's claims hold here; if
// not, the reason as far as counts show it; what is missing and why; and how our version differs from the
// source's. Requires `rows` from rows_of(), and in `counted` the counts of both entries of each
// unlike_the_source().
std::vector<std::string> figure_notes(const Figure& figure, const Timings& rows,
                                      const std::vector<EntryCounts>& counted = {});
std::vector<std::string> figure_notes(const Figure& figure, const std::vector<WorkCount>& counts);
// Returns the same notes as the first figure_notes(), with no-break spaces between numbers and their units.
std::vector<std::string> notes_to_wrap(const Figure& figure, const Timings& rows,
                                       const std::vector<EntryCounts>& counted);

Scene draw_figure(const Figure& figure, const Timings& rows, const ChartFrame& frame,
                  const std::vector<EntryCounts>& counted = {});
Scene draw_figure(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

// Draws the counts as points on the lines of their formulas: operations, steps, and their ratio.
Scene draw_counts(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

}  // namespace upsweep
