// What a value in the tree says, and where a click on it leads.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

// Its exact value, what was computed, by whom and where; nothing if the tree has no such node.
Lines node_tip(const Reading& at, const Id& id);
// To the step that made it.
Click click_on_node(const Reading& at, const Id& id);

}  // namespace upsweep
