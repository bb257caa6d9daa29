// Finds the tooltip of a cell of shared memory, and the effect of a click on the cell. Also finds the cells
// that differ between two runs.
#pragma once
#include <set>
#include <string_view>

#include "scene/views/views.hpp"

namespace upsweep {

// Compares two runs that are shown side by side. Returns the indices of the cells whose elements have
// different values in the two runs. Padding cells have indices, too. Returns no indices if only one run is
// shown.
std::set<int> cells_that_differ(const ViewInput& in);

// Returns the smallest text size to which a view may shrink a value that does not fit into its cell.
float smallest_value(const ViewInput& in);
// Returns the largest text size, at most `size`, at which a value fits into `room` dp. Returns `least` if the
// value fits at no size from `least` to `size`.
float fitting_size(std::string_view value, float size, float least, Face face, float room);

Lines cell_tip(const Reading& at, const Id& id);
// Returns the effect of a click on a cell. The click goes to the next request of this step that accesses the
// cell. If no request accesses the cell, the click goes to the nearest earlier step that wrote the cell.
Click click_on_cell(const Reading& at, const Id& id);

}  // namespace upsweep
