// Writes a figure as a table of comma-separated values (CSV).
#pragma once
#include <string>
#include <vector>

#include "scene/charts/figure_charts.hpp"

namespace upsweep {

// Returns the table of a figure. The table has comment lines ("# ") with the title and the notes, a heading,
// and one row for each bar or point.
std::string figure_csv(const Figure& figure, const Timings& rows,
                       const std::vector<EntryCounts>& counted = {});
std::string figure_csv(const Figure& figure, const std::vector<WorkCount>& counts);

}  // namespace upsweep
