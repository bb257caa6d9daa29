// Writes texts about a value in the tree (a node), and finds the effect of a click on the value.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

// Returns a tooltip with the node's exact value, the computation of the value, the thread, and the place in
// memory. Returns no lines if the tree does not contain the node.
Lines node_tip(const Reading& at, const Id& id);
// Returns the node's name, step, thread and line. Adds the value if the cursor is at the node's step or at a
// later step.
std::string node_readout(const Reading& at, const TreeRow& row, const TreeNode& node);
// Returns the effect of a click on a node. The click goes to the node's step.
Click click_on_node(const Reading& at, const Id& id);

}  // namespace upsweep
