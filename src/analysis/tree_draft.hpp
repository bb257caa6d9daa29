// Keeps a tree while the tree is built. First, tree.cpp adds rows and nodes step by step. Then,
// tree_sources.cpp finds the sources of each node, and tree_order.cpp sorts rows and nodes.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "analysis/cancellable.hpp"
#include "analysis/memory.hpp"
#include "analysis/tree.hpp"

namespace upsweep {

// Names one lane of one event. For a vector access, also names one element of the lane (`part`).
struct Use {
  std::uint32_t event = 0;
  int lane = 0, part = 0;
};

struct NodeDraft {
  int row = -1;  // index into TreeDraft::rows
  int column = 0;
  Use made;
  std::uint32_t value = 0;  // index into Trace::values
  bool operation = false;
  std::vector<int> sources;  // indices into TreeDraft::nodes
};

// The key by which rows are sorted. The key says which nodes the row contains.
struct RowKey {
  int step = 0;
  TreeRow::Place place = TreeRow::Place::shared;
  int index = 0;        // see TreeRow::index
  bool output = false;  // see TreeRow::output
  // In each step, the rows of loaded elements come first, and the row of the output comes last.
  auto order() const {
    using Place = TreeRow::Place;
    const int rank = place == Place::loaded      ? 0
                     : place == Place::registers ? 1
                     : place == Place::shared    ? 2
                                                 : 3;
    return std::tuple(step, rank, output, index);
  }
  bool operator<(const RowKey& other) const { return order() < other.order(); }
};

// The smallest rectangle of a two-dimensional buffer that holds all elements that the block touches. A
// one-dimensional buffer has one row.
struct TouchedElements {
  std::int64_t row, first, last;  // the first row; the first and the last column
};

struct TreeDraft {
  TreeDraft(const Trace& of, int grid_index, int block_index);

  const Trace& trace;
  const int grid, block;
  // `range` has the events whose dataflow the tree shows, and `entries` has their entries in Trace::lanes.
  // Usually, `range` has all events of the block. For a shader whose passes have one block each, `range` has
  // the events of all passes, because a pass has only one step.
  const bool whole_run;  // whether the tree shows all passes
  const EventRange range;
  const EntryRange entries;
  // True if the block moves two-dimensional data without the operator. If true, the tree also shows the
  // block's input.
  bool moves = false;
  bool some_sources = false;  // see Tree::some_sources

  std::vector<RowKey> rows;
  std::vector<NodeDraft> nodes;
  // For each node of an atomic: the step's earlier atomics at the same address.
  std::map<int, std::vector<Use>> chains;
  std::map<int, int> pitch;                // for each row of registers: the number of columns per thread
  std::set<int> over_elements;             // rows of registers whose values are in the columns of elements
  std::map<int, TouchedElements> touched;  // the keys are buffers
  // The next two vectors have one element for each of the block's entries in Trace::lanes; see local().
  //
  // For a load or an atomic: the store whose value the event read.
  std::vector<std::optional<Use>> loaded;
  std::vector<int> node_of;  // the node of a store, operation or shuffle; `none` if it has no node
  static constexpr int none = -1;

  std::uint32_t entry(Use use) const { return entry_of(trace.events[use.event], use.lane, use.part); }
  std::size_t local(Use use) const { return local(entry(use)); }
  std::size_t local(std::uint32_t entry) const { return entry - entries.first; }
  int step_of(Use use) const { return static_cast<int>(trace.events[use.event].step); }
  bool holds_elements(const Event& e) const { return trace.cells_of(e) != Cells::words; }
  // Returns the event that produced the value with origin `o` in this lane. Returns nullopt for a constant
  // and for an event of another block.
  std::optional<Use> origin(Origin o, int lane) const {
    if (o == 0) return {};
    const std::uint32_t event = origin_event(o);
    if (event < range.first || event >= range.last) return {};
    const Event& e = trace.events[event];
    const int part = origin_part(o);
    if (!has_lanes(e.kind) || (e.mask >> lane & 1) == 0) return {};
    if (is_atomic(e.kind)) return Use{event, lane, 0};
    return part < e.parts ? std::optional(Use{event, lane, part}) : std::nullopt;
  }
  // Returns the lane whose registers held the operands of an event. For a shuffle, this is the lane that gave
  // the value.
  int lane_of_operands(const Event& e, int lane, std::uint32_t at) const {
    const bool moved = e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) != Shuffle::reduce_add;
    return moved ? static_cast<int>(trace.lanes[at].address & 31) : lane;
  }
  // Returns the index of a row. Adds the row if it is new.
  int row(const RowKey& key);
  // Extends a buffer's TouchedElements, so that the rectangle includes this element.
  void note_touched(int buffer, std::int64_t element);

 private:
  std::map<RowKey, int> row_of_;
};

// Finds the sources of all nodes. Adds a node for each loaded element that is a source.
void find_sources(TreeDraft& draft, CancelCheck& check_cancelled);

// Returns the finished tree, with sorted rows and nodes.
Tree in_order(const TreeDraft& draft, CancelCheck& check_cancelled);

}  // namespace upsweep
