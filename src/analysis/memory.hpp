// Shared memory at any moment of a recording: the last recorded snapshot, and the recorded stores since.
#pragma once
#include <optional>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

struct Cell {
  Value value{};
  bool known = false;        // false: nothing has been stored there (uninitialised)
  int element = -1;          // the element that lies here, or -1 for padding
  int buffer = 0;            // which buffer of a double buffer
  std::uint32_t writer = 0;  // origin: the store's event index + 1 that wrote the value; 0 if unknown
  int writer_thread = -1;
};

// All cells of shared memory (one element each, padding included) after the first `event_count` events of
// the trace have happened in `block`. Pass the index one past the last event of a step for its end.
std::vector<Cell> memory_at(const Trace& trace, int block, std::size_t event_count);

// Which element of which buffer each cell holds, by cell; element -1 for padding.
struct CellPlace {
  int element = -1;
  int buffer = 0;
};
std::vector<CellPlace> cell_places(const SharedShape& shape);

// Range [first, last) of event indices: all of a block, or one step of it.
struct EventRange {
  std::size_t first = 0, last = 0;
};
EventRange block_events(const Trace& trace, int block);
EventRange step_events(const Trace& trace, int block, int step);

// The first recorded load or snapshot that contradicts the replayed stores, as a sentence, or nothing: the
// recording is coherent (true of every kernel without a race). A load is judged against the memory at the
// beginning of its step and its own warp's stores since; one whose address another warp stores to in the same
// step is passed over.
std::optional<std::string> incoherence(const Trace& trace);

}  // namespace upsweep
