// The texts about a value in the tree, and the effect of a click on it.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

// Returns the exact value, its computation, the thread and the place. Returns nothing if the tree has no such
// node.
Lines node_tip(const Reading& at, const Id& id);
// Returns the node's name, step, thread and line, and also its value after the step is over.
std::string node_readout(const Reading& at, const TreeRow& row, const TreeNode& node);
// Returns a click that goes to the step that made the value.
Click click_on_node(const Reading& at, const Id& id);

}  // namespace upsweep
