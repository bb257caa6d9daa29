// Computes the dataflow of a block from a recording, as rows of nodes. These rows look like the figures of
// up-sweep and down-sweep in books. A node is a value: an element of memory that a step stored, or a value
// that a thread keeps in a register from one step to another. The sources of a node are the nodes from whose
// values the node was computed.
//
// To find sources, the code follows each value backwards. In registers and shuffles, the code follows the
// recorded origins. In memory, the code looks for the last store to the same address. Padding and flags
// (Cells::words) have no nodes. The two buffers of a double buffer use the same columns. If a step stores
// several values to one address, only the last value has a node. If a node was computed from an overwritten
// value, the node gets the sources of the overwritten value.
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
  int element;  // the column of the node
  Value value;
  std::uint32_t event;     // index into Trace::events: the event that made the value
  int lane;                // the lane of that event
  bool operation = false;  // true if the operator computed the value; false for a copy
  // True if this is the element's last node in shared memory, and if the output has the same value.
  bool final = false;
  std::vector<Source> sources;  // each source once, the left operand first; empty for an input or a constant
};

struct TreeRow {
  enum class Place {
    shared,     // elements of shared memory; `index` is the region
    global,     // elements that the step stored to a global buffer: Trace::buffers[index]
    loaded,     // elements of a global buffer that are sources and that this block has not stored
    registers,  // values that threads keep in registers
  };
  int step = 0;  // index into Trace::steps: the step that made these nodes
  Step label;
  Place place = Place::shared;
  int index = 0;
  int first = 0;  // for a global or loaded row: the index of the element in column 0
  int width = 0,
      apart = 0;  // In a two-dimensional buffer, `width` is the number of columns that the block touches, and
                  // `apart` is the number of all columns. Otherwise, both are 0.
  // For a row of registers: the number of columns per thread. 0 if the row's values are in the columns of
  // elements (see TreeDraft::over_elements).
  int pitch = 1;
  // For a texture that is shorter than the input: the number of columns that belong to one texel. The texel
  // is in the last of these columns.
  int spread = 1;
  bool output = false;          // whether the row is stored to the output
  std::vector<TreeNode> nodes;  // ascending by column, at most one per column
  // These functions are for rows with Place::global or Place::loaded. index_of() returns the index of the
  // element in a column. column_of() returns the column of the element with the index `element`.
  int index_of(int column) const {
    return width == 0 ? first + column / spread : first + column / width * apart + column % width;
  }
  int column_of(int element) const {
    if (width == 0) return (element - first) * spread + spread - 1;
    return (element / apart - first / apart) * width + element % apart - first % apart;
  }
};

struct Tree {
  int columns = 0;
  // Sorted by step. The rows of one step have this order: loaded elements, registers, shared memory by
  // region, global memory by buffer, the output.
  std::vector<TreeRow> rows;
  // The indices of the rows of region 0 of shared memory, ascending.
  std::vector<int> stored;
  // True if the search for sources ended early, because there are too many sources. For example, a thread
  // that adds and stores n times in one step leads to n * n / 2 sources.
  bool some_sources = false;
};

// Returns the index of the node in a column of a row. Returns -1 if the column has no node.
int node_in(const TreeRow& row, int element);

Tree tree(const Trace& trace, int grid = 0, int block = 0);

// Returns a node, and then all nodes from which this node was computed, directly or indirectly. The window
// highlights these nodes when the mouse is over the first node. If there are more than `most` nodes, returns
// the nodes that have the shortest paths to the first node.
std::vector<TreeNode::Source> ancestors(const Tree& tree, TreeNode::Source node, std::size_t most = SIZE_MAX);

}  // namespace upsweep
