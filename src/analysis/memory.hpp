// A block's events, and its shared memory at any moment of a recording: the last recorded snapshot, and the
// recorded stores since.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Range [first, last) of event indices: all of a block of one grid, or one step of it (the step decides the
// grid).
struct EventRange {
  std::size_t first = 0, last = 0;
  bool empty() const { return first == last; }
};
EventRange block_events(const Trace& trace, int grid, int block);
EventRange step_events(const Trace& trace, int block, int step);

// The entries in Trace::lanes of some events.
struct EntryRange {
  std::uint32_t first = 0;
  std::size_t count = 0;
};
// Requires that the events follow each other in the trace.
EntryRange lane_entries(const Trace& trace, EventRange range);

// The index of the grid that a step belongs to, and the step behind a grid's last one.
int grid_index(const Trace& trace, int step);
int end_step(const Trace& trace, int grid);
// Whether a block's events were all recorded; of others volatile accesses, atomics and fences alone.
bool in_focus(const Trace& trace, int grid, int block);
// The blocks of a grid whose events were all recorded, ascending.
std::vector<int> focus_of(const Trace& trace, int grid);

// Calls f(lane, address, value) for every cell that an access touches: once for each element of a vector
// access, once for an atomic. `address` is the cell's entry of Trace::lanes, `value` the entry of
// Trace::values that holds what was loaded, what was stored, or what an atomic left behind.
template <class F>
void for_each_cell(const Event& e, F f) {
  if (!is_atomic(e.kind)) return for_each_lane(e, [&](int lane, std::uint32_t at) { f(lane, at, at); });
  std::uint32_t entry = e.first;
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1, entry += 2) f(std::countr_zero(m), entry, entry + 1);
}

// The thread of a block that a lane of an event is.
inline int thread_of(const Event& e, int lane) { return e.warp * 32 + lane; }

// Bytes of one cell that an access touches.
inline int cell_bytes(const Event& e) { return is_atomic(e.kind) ? e.width : e.width / e.parts; }

// Where a cell of shared memory lies and what it is for.
struct CellPlace {
  int region = 0;    // 0: the elements; r: SharedShape::more[r - 1]
  int element = -1;  // index in its region (in its buffer, of a double buffer); -1 for padding
  int buffer = 0;    // which buffer of a double buffer
  std::uint32_t byte = 0;
  int bytes = 4;
  bool words = false;  // a 32-bit number that counts or marks, no element
  Cells cells() const { return words ? Cells::words : Cells::elements; }
};
// All cells, ascending by byte.
std::vector<CellPlace> cell_places(const SharedShape& shape, int element_bytes);
// The cell that holds a byte of shared memory, or -1 beyond all of them.
int cell_at(const std::vector<CellPlace>& places, std::int64_t byte);

struct Cell : CellPlace {
  Value value{};
  bool known = false;        // false: nothing has been stored there (uninitialised)
  std::uint32_t writer = 0;  // origin: the store's event index + 1 that wrote the value; 0 if unknown
  int writer_thread = -1;
};

// All cells of a block's shared memory after the first `event_count` events of the trace have happened in it.
// Pass the index one past the last event of a step for its end.
std::vector<Cell> memory_at(const Trace& trace, int grid, int block, std::size_t event_count);

// The first recorded load or snapshot that contradicts the replayed stores, as a sentence, or nothing: the
// recording is coherent (true of every kernel without a race). A load is judged against the memory at the
// beginning of its step and its own warp's stores since; one whose address another warp stores to in the same
// step is passed over.
std::optional<Message> incoherence(const Trace& trace);

}  // namespace upsweep
