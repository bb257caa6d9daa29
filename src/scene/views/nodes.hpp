// The texts about a value in the tree, and the effect of a click on it.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

// Returns lines with the node's exact value, how it was computed, its thread and its place in memory. Returns
// no lines if the tree does not have this node.
Lines node_tip(const Reading& at, const Id& id);
// Returns the node's name, step, thread and line, and its value if the cursor is at this step or later.
std::string node_readout(const Reading& at, const TreeRow& row, const TreeNode& node);
// Returns the effect of a click on a node: it goes to the node's step.
Click click_on_node(const Reading& at, const Id& id);

}  // namespace upsweep
