// The dataflow of a block as rows of nodes: the books' up-sweep and down-sweep figures, drawn from a
// recording.
// A node is a value: an element of memory that a step stored, or a value that a thread keeps in a register
// from one step to another. Its sources are the nodes from whose values it was computed. Sources are found by
// following recorded origins through registers and shuffles, and addresses through memory. Padding and words
// have no nodes. Both buffers of a double buffer share the columns. If a step overwrites its own store, that
// store has no node, and its readers get its sources.
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
  std::uint32_t event;          // index into Trace::events of the event that made it
  int lane;                     // the lane of that event
  bool operation = false;       // computed by the operator; else a copy
  bool final = false;           // an element of shared memory that is stored to the output as it is here
  std::vector<Source> sources;  // the left operand first, each once; empty for an input or a constant
};

struct TreeRow {
  enum class Place {
    shared,     // elements of shared memory; index: the region
    global,     // elements of a global buffer that the step stored; index: into Trace::buffers
    loaded,     // elements of a global buffer that an operation used and that this block has not stored
    registers,  // values that threads keep in registers
  };
  int step = 0;  // index into Trace::steps: the step that made these nodes
  Step label;
  Place place = Place::shared;
  int index = 0;
  int first = 0;  // global, loaded: the element in column 0
  int width = 0,
      apart = 0;  // two-dimensional: the columns of one row of elements, and the distance of two rows; else 0
  int pitch = 1;  // registers: the number of columns of one thread
  bool output = false;          // the row is stored to the output
  std::vector<TreeNode> nodes;  // ascending by column, at most one per column
  // For global and loaded rows: return the element in a column, and the column of an element.
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
  // Sorted by step. The rows of one step are sorted: loaded elements, registers, shared memory by region,
  // global memory by buffer, the output.
  std::vector<TreeRow> rows;
  // The indices of the rows of region 0 of shared memory, ascending.
  std::vector<int> stored;
  // True if not all sources were searched, because there are too many: a thread that adds and stores n times
  // in one step has n * n / 2 of them.
  bool some_sources = false;
};

// Returns the index of the node in a column of a row, or -1.
int node_in(const TreeRow& row, int element);

Tree tree(const Trace& trace, int grid = 0, int block = 0);

// Returns all nodes from which a node was computed, itself first, as (row, node) pairs. They are highlighted
// when the mouse is over the node. If there are more than `most`, the nodes with the shortest paths are
// returned.
std::vector<TreeNode::Source> ancestors(const Tree& tree, TreeNode::Source node, std::size_t most = SIZE_MAX);

}  // namespace upsweep
