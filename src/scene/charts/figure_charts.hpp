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

// Two entries of a figure. At size n, our times contradict the published order of these entries.
struct Unlike {
  int faster = 0, slower = 0, n = 0;  // indices into Figure::entries; the size
  Verdict verdict = Verdict::same;    // our result: the opposite order, or no difference
};
// Returns the pairs of our kernels whose published order does not hold here. Checks the published claims that
// have neither a factor nor "may". Also checks each pair of neighbours in the order of the published times.
// Leaves out parts of a run, because only whole runs are counted. Each pair has one size: the largest size
// with the opposite order, or else the largest size with no difference. Sizes at which counting takes too
// long are left out.
std::vector<Unlike> unlike_the_source(const Figure& figure, const Timings& rows);

// The exact counts of one entry at one size n. They come from a recording and cover all launches and blocks
// of a run.
struct EntryCounts {
  int entry = 0, n = 0;
  int launches = 0;  // only launches by the host
  Totals totals;
};

// Returns one of the figure's sizes as text: "16 Ki", or "512 × 512" for square pictures.
std::string size_name(const Figure& figure, int n);

// Returns the sentences below a figure. They say whether the published claims hold here, what is missing and
// why, and how our kernels differ from the published kernels. If `counted` has the counts of both entries of
// a pair from unlike_the_source(), a sentence compares these counts. `rows` must come from rows_of().
std::vector<std::string> figure_notes(const Figure& figure, const Timings& rows,
                                      const std::vector<EntryCounts>& counted = {});
// Returns the sentences below a figure of counts: how many counts equal their formulas, which counts differ,
// the remarks, and the book or article.
std::vector<std::string> figure_notes(const Figure& figure, const std::vector<WorkCount>& counts);
// Returns the sentences of figure_notes(), with no-break spaces between numbers and their units.
std::vector<std::string> notes_to_wrap(const Figure& figure, const Timings& rows,
                                       const std::vector<EntryCounts>& counted);

Scene draw_figure(const Figure& figure, const Timings& rows, const ChartFrame& frame,
                  const std::vector<EntryCounts>& counted = {});
Scene draw_figure(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

// Draws operations, steps, and operations / span: counts as points, and formulas as lines.
Scene draw_counts(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

}  // namespace upsweep
