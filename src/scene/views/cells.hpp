// What a cell of shared memory says, and where a click on it leads.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

Lines cell_tip(const Reading& at, const Id& id);
// To the next request of this step that touches the cell; where none does, to the step that stored it last.
Click click_on_cell(const Reading& at, const Id& id);

}  // namespace upsweep
