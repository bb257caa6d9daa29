// The dataflow of a block as rows of nodes: like the figures of up-sweep and down-sweep in books, but
// computed from a recording. A node is a value. It may be an element of memory that a step stored, or a value
// that a thread keeps in a register from one step to another. The sources of a node are the nodes from whose
// values it was computed. They are found by following recorded origins through registers and shuffles, and
// addresses through memory. Padding and words have no nodes. The two buffers of a double buffer use the same
// columns. If a step overwrites a value that it stored itself, the first store has no node, and nodes
// computed from it get its sources.
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
  std::uint32_t event;          // index into Trace::events: the event that made the value
  int lane;                     // the lane of that event
  bool operation = false;       // computed by the operator; else a copy
  bool final = false;           // the element's last node in shared memory; the output has the same value
  std::vector<Source> sources;  // each source once, the left operand first; empty for an input or a constant
};

struct TreeRow {
  enum class Place {
    shared,     // elements of shared memory; `index` is the region
    global,     // elements of a global buffer that the step stored; `index` is into Trace::buffers
    loaded,     // elements of a global buffer that are sources and that this block has not stored
    registers,  // values that threads keep in registers
  };
  int step = 0;  // index into Trace::steps: the step that made these nodes
  Step label;
  Place place = Place::shared;
  int index = 0;
  int first = 0;  // a global or loaded row: the element in column 0
  int width = 0,
      apart = 0;  // two-dimensional: the columns of one row of elements, and the distance of two rows; else 0
  int pitch = 1;  // a row of registers: the columns of one thread, or 0 (see TreeDraft::over_elements)
  // For a texture that is shorter than the input: how many columns belong to one texel. The texel is in the
  // last of these columns.
  int spread = 1;
  bool output = false;          // the row is stored to the output
  std::vector<TreeNode> nodes;  // ascending by column, at most one per column
  // For global and loaded rows: index_of() returns the element in a column, and column_of() the reverse.
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
  // Sorted by step. The rows of one step are sorted: loaded elements, registers, shared memory by region,
  // global memory by buffer, the output.
  std::vector<TreeRow> rows;
  // The indices of the rows of region 0 of shared memory, ascending.
  std::vector<int> stored;
  // True if not all sources were searched, because there are too many. For example, a thread that adds and
  // stores n times in one step leads to n * n / 2 sources.
  bool some_sources = false;
};

// Returns the index of the node in a column of a row, or -1.
int node_in(const TreeRow& row, int element);

Tree tree(const Trace& trace, int grid = 0, int block = 0);

// Returns a node, and after it all nodes from which it was computed, also indirectly. They are highlighted
// when the mouse is over the node. If there are more than `most`, returns the nodes with the shortest paths.
std::vector<TreeNode::Source> ancestors(const Tree& tree, TreeNode::Source node, std::size_t most = SIZE_MAX);

}  // namespace upsweep
