// The texts about a value in the tree, and the effect of a click on it.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

// Returns the exact value, what was computed, by which thread, and where. It returns nothing if the tree has
// no such node.
Lines node_tip(const Reading& at, const Id& id);
// Returns the node's name, its value if its step is over, its step, thread and line.
std::string node_readout(const Reading& at, const TreeRow& row, const TreeNode& node);
// Returns a click that goes to the step that made the value.
Click click_on_node(const Reading& at, const Id& id);

}  // namespace upsweep
