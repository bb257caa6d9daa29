// The sources' figures, drawn: what was published beside what was measured or counted here, and under it in
// sentences what became of the published order. The numbers of all of it as CSV.
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
  int faster = 0, slower = 0, n = 0;  // indices; as the source has it
  Verdict verdict = Verdict::same;    // of the source's faster one: no different here, or slower
};
// For each of a sweep's claims one size, the largest that is soon counted where it turned or, if it turned at
// none, where there is no difference; of a ladder every pair of neighbours in the published order.
std::vector<Unlike> unlike_the_source(const Figure& figure, const Timings& rows);

// What an entry counts in one whole run at a size, all launches and blocks: exact, from a recording.
struct EntryCounts {
  int entry = 0, n = 0;
  int launches = 0;  // by the host
  Totals totals;
};

// Sentences under a figure, computed from the numbers: whether what the source says holds here, if not, why,
// as far as counts say it, what is missing and why, and where ours is not what theirs was. `rows` is what
// rows_of() gives, `counted` of both entries of what is unlike_the_source().
std::vector<std::string> figure_notes(const Figure& figure, const Timings& rows,
                                      const std::vector<EntryCounts>& counted = {});
std::vector<std::string> figure_notes(const Figure& figure, const std::vector<WorkCount>& counts);
// Returns the same notes as the first figure_notes(), with no-break spaces between numbers and their units.
std::vector<std::string> notes_to_wrap(const Figure& figure, const Timings& rows,
                                       const std::vector<EntryCounts>& counted);

Scene draw_figure(const Figure& figure, const Timings& rows, const ChartFrame& frame,
                  const std::vector<EntryCounts>& counted = {});
Scene draw_figure(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

// Counts as points over their formulas as lines: operations, steps, and the one over the other.
Scene draw_counts(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

}  // namespace upsweep
