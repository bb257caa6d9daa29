// The dataflow of a block as rows of nodes: the books' up-sweep and down-sweep figures, drawn from what
// was recorded. A node is an element of shared memory (or of the output) that a step stored; its sources
// are the nodes whose values went into it, followed through registers by recorded origins. Padding has no
// nodes, both buffers of a double buffer share the columns, and a store that its own step overwrites is seen
// through.
#pragma once
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

struct TreeNode {
  struct Source {
    int row;   // index into Tree::rows
    int node;  // index into that row's nodes
    bool operator==(const Source&) const = default;
  };
  int element;  // column
  Value value;
  std::uint32_t event;          // the store's index in Trace::events
  int lane;                     // which lane of it
  bool operation = false;       // computed by the operator; else a copy
  std::vector<Source> sources;  // left operand first, each once; empty: from the input, or a constant
};

struct TreeRow {
  int step;  // index into Trace::steps: the step that stored these nodes
  Step label;
  bool output = false;          // nodes are elements of the output, not of shared memory
  std::vector<TreeNode> nodes;  // ascending by element, at most one per element
};

struct Tree {
  int columns = 0;
  std::vector<TreeRow>
      rows;  // steps that stored something, in order; a step that stored to both has its output row second
};

Tree tree(const Trace& trace, int block = 0);

// Every node that went into one node, itself first, as (row, node) pairs: what lights up on hover.
std::vector<TreeNode::Source> ancestors(const Tree& tree, TreeNode::Source node);

}  // namespace upsweep
