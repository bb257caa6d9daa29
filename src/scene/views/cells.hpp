// The tip of a cell of shared memory, and the effect of a click on it.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

Lines cell_tip(const Reading& at, const Id& id);
// Returns a click that goes to the next request of this step that touches the cell; if there is none, to the
// step that stored it last.
Click click_on_cell(const Reading& at, const Id& id);

}  // namespace upsweep
