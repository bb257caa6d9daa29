// The sources' figures, drawn: what was published beside what was measured or counted here, and under it in
// sentences what became of the published order. The numbers of all of it as CSV.
#pragma once
#include <string>
#include <vector>

#include "scene/charts.hpp"
#include "timing/figures.hpp"

namespace upsweep {

// Sentences under a figure, computed from the numbers: whether what the source says holds here, what is
// missing and why, and where ours is not what theirs was. `rows` is what rows_of() gives.
std::vector<std::string> figure_notes(const Figure& figure, const Timings& rows);
std::vector<std::string> figure_notes(const Figure& figure, const std::vector<WorkCount>& counts);

Scene draw_figure(const Figure& figure, const Timings& rows, const ChartFrame& frame);
Scene draw_figure(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

// A heading and a row for each bar or point; before them what the figure is and its notes, each a line that
// begins with "# ".
std::string figure_csv(const Figure& figure, const Timings& rows);
std::string figure_csv(const Figure& figure, const std::vector<WorkCount>& counts);

// Counts as points over their formulas as lines: operations, steps, and the one over the other.
Scene draw_counts(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame);

}  // namespace upsweep
