// The dataflow of a block as rows of nodes: the books' up-sweep and down-sweep figures, drawn from what was
// recorded. A node is a value: an element of memory that a step stored, or what a thread holds in a register
// from one step to another. Its sources are the nodes whose values went into it, followed by recorded origins
// through registers and shuffles, and through memory by address. Padding and words have no nodes, both
// buffers of a double buffer share the columns, and a store that its own step overwrites is seen through.
#pragma once
#include <cstddef>
#include <cstdint>
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
  std::uint32_t event;          // what made it: the index in Trace::events
  int lane;                     // which lane of it
  bool operation = false;       // computed by the operator; else a copy
  std::vector<Source> sources;  // left operand first, each once; empty: from the input, or a constant
};

struct TreeRow {
  enum class Place {
    shared,     // elements of shared memory; index: the region
    global,     // elements of a global buffer that the step stored; index: of Trace::buffers
    loaded,     // elements of a global buffer that an operation took, stored by nobody here
    registers,  // what threads keep in registers
  };
  int step = 0;  // index into Trace::steps: the step that made these nodes
  Step label;
  Place place = Place::shared;
  int index = 0;
  int first = 0;  // global, loaded: the element in column 0
  int width = 0,
      apart = 0;  // two-dimensional: columns of one row of elements, and elements from row to row; else 0
  int pitch = 1;  // registers: columns of one thread
  bool output = false;          // stored to the output
  std::vector<TreeNode> nodes;  // ascending by column, at most one per column
  // Global, loaded: the element in a column, and the column of an element.
  int index_of(int column) const {
    return width == 0 ? first + column : first + column / width * apart + column % width;
  }
  int column_of(int element) const {
    if (width == 0) return element - first;
    return (element / apart - first / apart) * width + element % apart - first % apart;
  }
};

struct Tree {
  int columns = 0;
  // In order of steps; within one step what was loaded, registers, shared memory by region, global memory by
  // buffer, the output last.
  std::vector<TreeRow> rows;
  // Indices of the rows of region 0 of shared memory, ascending.
  std::vector<int> stored;
};

// Returns the index of the node in a column of a row, or -1.
int node_in(const TreeRow& row, int element);

Tree tree(const Trace& trace, int grid = 0, int block = 0);

// Every node that went into one node, itself first, as (row, node) pairs: what lights up on hover. Of more
// than `most`, those with the shortest ways to it.
std::vector<TreeNode::Source> ancestors(const Tree& tree, TreeNode::Source node, std::size_t most = SIZE_MAX);

}  // namespace upsweep
