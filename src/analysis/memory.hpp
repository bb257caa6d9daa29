// A block's events, and its shared memory at any moment of a recording. The memory follows from the last
// recorded snapshot and the recorded stores since.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// A range [first, last) of event indices: all events of a block of one grid, or its events in one step.
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
// Returns the entries of events that follow each other in the trace.
EntryRange lane_entries(const Trace& trace, EventRange range);

// Return the index of the grid to which a step belongs, and the step after a grid's last step.
int grid_index(const Trace& trace, int step);
int end_step(const Trace& trace, int grid);
// Returns whether all events of a block were recorded. Other blocks have only volatile accesses, atomics and
// fences.
bool in_focus(const Trace& trace, int grid, int block);
// Returns the blocks of a grid whose events were all recorded, ascending.
std::vector<int> focus_of(const Trace& trace, int grid);

// Calls f(lane, address, value) for every cell that an access touches: once for each element of a vector
// access, once for an atomic. `address` is the cell's entry of Trace::lanes, `value` the entry of
// Trace::values with the loaded value, the stored value, or the value after an atomic.
template <class F>
void for_each_cell(const Event& e, F f) {
  if (!is_atomic(e.kind)) return for_each_lane(e, [&](int lane, std::uint32_t at) { f(lane, at, at); });
  std::uint32_t entry = e.first;
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1, entry += 2) f(std::countr_zero(m), entry, entry + 1);
}

// Returns the thread of a lane: its number in the block.
inline int thread_of(const Event& e, int lane) { return e.warp * 32 + lane; }

// Returns the size of one cell that an access touches, in bytes.
inline int cell_bytes(const Event& e) { return is_atomic(e.kind) ? e.width : e.width / e.parts; }

// The place of a cell of shared memory and its purpose.
struct CellPlace {
  int region = 0;    // 0 for the elements; r for SharedShape::more[r - 1]
  int element = -1;  // the index in its region, or in its buffer of a double buffer; -1 for padding
  int buffer = 0;    // which buffer of a double buffer
  std::uint32_t byte = 0;
  int bytes = 4;
  bool words = false;  // a 32-bit number that counts or marks, not an element
  Cells cells() const { return words ? Cells::words : Cells::elements; }
};
// Returns all cells, ascending by byte.
std::vector<CellPlace> cell_places(const SharedShape& shape, int element_bytes);
// Returns the cell that contains a byte of shared memory, or -1.
int cell_at(const std::vector<CellPlace>& places, std::int64_t byte);

struct Cell : CellPlace {
  Value value{};
  bool known = false;        // false if nothing has been stored there (uninitialised)
  std::uint32_t writer = 0;  // an origin: 1 + the index of the store that wrote the value; 0 if unknown
  int writer_thread = -1;
};

// Returns all cells of a block's shared memory after the first `event_count` events of the trace. For the end
// of a step, pass the index after the step's last event.
std::vector<Cell> memory_at(const Trace& trace, int grid, int block, std::size_t event_count);

// Returns a sentence about the first recorded load or snapshot that contradicts the stores. Returns nothing
// if the recording is coherent, which is true of every kernel without a race. A load is compared with the
// memory at the beginning of its step and its own warp's stores since then. The load is ignored if another
// warp stores to its address in the same step.
std::optional<Message> incoherence(const Trace& trace);

}  // namespace upsweep
