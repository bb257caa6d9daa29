// Finds a block's events, and computes its shared memory at any moment of a recording. The memory is computed
// from the last recorded snapshot before that moment and the stores after the snapshot.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// A range [first, last) of event indices: all events of a block in one grid, or the block's events in one
// step.
struct EventRange {
  std::size_t first = 0, last = 0;
  bool empty() const { return first == last; }
};
EventRange block_events(const Trace& trace, int grid, int block);
EventRange step_events(const Trace& trace, int block, int step);

// A range of entries in Trace::lanes.
struct EntryRange {
  std::uint32_t first = 0;
  std::size_t count = 0;
};
// Returns the entries in Trace::lanes that belong to a range of events.
EntryRange lane_entries(const Trace& trace, EventRange range);

// grid_index() returns the index of the grid to which a step belongs. end_step() returns the step after a
// grid's last step.
int grid_index(const Trace& trace, int step);
int end_step(const Trace& trace, int grid);
// Returns whether at least one step of a grid has this phase.
bool has_phase(const Trace& trace, int grid, const Phase& phase);
// Returns whether a block is in focus, which means that all its events were recorded. For a block out of
// focus, only fences, and volatile accesses and atomics of global memory, were recorded.
bool in_focus(const Trace& trace, int grid, int block);
// Returns the indices of a grid's blocks in focus, ascending.
std::vector<int> focus_of(const Trace& trace, int grid);

// Calls f(lane, address, value) for every cell that an access touches. A vector access touches one cell per
// element in each active lane. Any other access touches one cell per active lane.
//
// `address` and `value` are indices. Trace::lanes[address] is the entry of the cell. Trace::values[value] is
// the value that was loaded or stored; for an atomic, it is the value in memory after the atomic.
template <class F>
void for_each_cell(const Event& e, F f) {
  if (!is_atomic(e.kind)) return for_each_lane(e, [&](int lane, std::uint32_t at) { f(lane, at, at); });
  std::uint32_t entry = e.first;
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1, entry += 2) f(std::countr_zero(m), entry, entry + 1);
}

// Returns the index of a lane's thread in the block.
inline int thread_of(const Event& e, int lane) { return e.warp * 32 + lane; }

// Returns the size of one cell that an access touches, in bytes.
inline int cell_bytes(const Event& e) { return is_atomic(e.kind) ? e.width : e.width / e.parts; }

// The place of one cell of shared memory, and the kind of its content.
struct CellPlace {
  int region = 0;    // 0 for the elements; r for SharedShape::more[r - 1]
  int element = -1;  // the element's index in the region, or in one buffer of a double buffer; -1 for padding
  int buffer = 0;    // the index of the buffer in a double buffer
  std::uint32_t byte = 0;
  int bytes = 4;
  Cells cells = Cells::elements;
};
// Returns all cells, ascending by byte.
std::vector<CellPlace> cell_places(const SharedShape& shape, int element_bytes);
// Returns the index of the cell that contains a byte of shared memory, or -1.
int cell_at(const std::vector<CellPlace>& places, std::int64_t byte);

struct Cell : CellPlace {
  Value value{};
  bool known = false;        // false if nothing has been stored in the cell (uninitialised)
  std::uint32_t writer = 0;  // an origin: 1 + the index of the store that wrote the value; 0 if unknown
  int writer_thread = -1;
};

// Returns all cells of a block's shared memory, as they are after the first `event_count` events of the
// trace. For the memory at the end of a step, pass the index after the step's last event.
std::vector<Cell> memory_at(const Trace& trace, int grid, int block, std::size_t event_count);

// Returns a message about the first recorded load or snapshot that contradicts the recorded stores. Returns
// nullopt if there is no contradiction; recordings of kernels without races have no contradictions.
//
// A load must get the value that its own warp stored last to the address in the same step. If the warp has
// not stored to the address, the load must get the value from the beginning of the step. A load is not
// checked if another warp stores to the address in the same step.
std::optional<Message> incoherence(const Trace& trace);

}  // namespace upsweep
