// The tooltip of a cell of shared memory, and the effect of a click on it.
#pragma once
#include <set>

#include "scene/views/views.hpp"

namespace upsweep {

// Returns the cells, as indices that count padding, whose values differ from those of the same elements in
// the other run of a comparison. Returns no cells without another run.
std::set<int> cells_that_differ(const ViewInput& in);

Lines cell_tip(const Reading& at, const Id& id);
// Returns the effect of a click on a cell: it goes to the next request of this step that accesses the cell.
// If no request does, the click goes to the last earlier step that wrote the cell.
Click click_on_cell(const Reading& at, const Id& id);

}  // namespace upsweep
