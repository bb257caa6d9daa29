// A figure as a table of comma-separated values.
#pragma once
#include <string>
#include <vector>

#include "scene/charts/figure_charts.hpp"

namespace upsweep {

// A heading and a row for each bar or point; before them what the figure is and its notes, each a line that
// begins with "# ".
std::string figure_csv(const Figure& figure, const Timings& rows,
                       const std::vector<EntryCounts>& counted = {});
std::string figure_csv(const Figure& figure, const std::vector<WorkCount>& counts);

}  // namespace upsweep
