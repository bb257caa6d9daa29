// The sources' figures as pictures: the published numbers beside those that were measured or counted here,
// and sentences below that say whether the published order holds. All numbers are available as CSV.
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
  int faster = 0, slower = 0, n = 0;  // indices; the faster and the slower one in the source
  Verdict verdict = Verdict::same;  // the verdict on the source's faster entry: no difference here, or slower
};
// Returns the claims that do not hold here. For each claim of a sweep it returns one size: the largest size
// with the opposite order, or, if there is none, with no difference; sizes that take long to count are left
// out. For a ladder it returns every such pair of neighbours in the published order.
std::vector<Unlike> unlike_the_source(const Figure& figure, const Timings& rows);

// The counts of an entry for one whole run at a size, over all launches and blocks. They are exact, because
// they come from a recording.
struct EntryCounts {
  int entry = 0, n = 0;
  int launches = 0;  // by the host
  Totals totals;
};

// Returns the sentences below a figure, computed from the numbers: whether the source's claims hold here; if
// not, the reason as far as counts show it; what is missing and why; and how our version differs from the
// source's. `rows` must be the result of rows_of(), and `counted` the counts of both entries of each
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
