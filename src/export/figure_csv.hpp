// A figure as a table of comma-separated values.
#pragma once
#include <string>
#include <vector>

#include "scene/charts/figure_charts.hpp"

namespace upsweep {

// Returns comment lines that begin with "# " and describe the figure, with its notes; then a heading and a
// row for each bar or point.
std::string figure_csv(const Figure& figure, const Timings& rows,
                       const std::vector<EntryCounts>& counted = {});
std::string figure_csv(const Figure& figure, const std::vector<WorkCount>& counts);

}  // namespace upsweep
