// The place at which a run with a wrong result first departs from a run of the right kernel.
//
// Both runs have the same data and settings. Values are compared by what they consist of (see ValueHistory),
// so it does not matter when a run computes something, or whether two different sums happen to be equal. The
// wrong element is followed back, from each wrong value to the wrong values from which it was computed:
//
// - A cell holds a value that the right run writes there, too, but at another time: a store is missing, late
//   or early. The run departs where the cell is read, or where the late store is, unless that value was
//   itself computed from cells that differ.
// - A cell holds a value that the right run never writes there. If it was computed from the same cells as in
//   the right run, the cells that differ are followed further. Otherwise, or if none differs, the run departs
//   where the value is written.
// - The wrong element itself was never written, or its last store is missing. If the values that should have
//   been stored are right, the run departs after the last thing that its block did.
//
// These rules may find several places. The place with the first step is returned, and within that step the
// first event. Places where the number happens to be right come last.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Departure {
  enum class How : std::uint8_t {
    reads,   // a thread reads another value
    writes,  // a thread writes another value
    ends,    // the block ends without a store
  } how = How::writes;
  std::uint32_t step = 0;
  int line = 0;  // from 1
  std::uint32_t grid = 0, block = 0;
  int thread = 0;
  // The cell that is read, written or not written.
  bool shared = false;
  int buffer = 0;             // the buffer of global memory, or the region of shared memory
  std::int64_t cell = 0;      // the cell's index there; in region 0 of shared memory padding counts, too
  std::int64_t element = -1;  // the element in a cell of region 0, if a layout has moved it
  // The value that the thread read or wrote, and the right run's value if there is one.
  Value got{}, expected{};
  bool has_expected = false;
  bool written = true;  // reads: whether any thread wrote the cell before
};

// Returns whether runs of this size can be compared: all blocks must be in focus, nothing may be dropped, and
// the recording must not be too large.
bool is_comparable(const Trace& trace);

// Returns the first departure of a wrong run that leads to its output element `index`, or nothing if none is
// found. Both traces must be comparable. Throws Cancelled if the job is cancelled meanwhile; a null job is
// never cancelled.
std::optional<Departure> first_departure(const Trace& wrong, const Trace& right, std::size_t index,
                                         const Job* job = nullptr);

// Returns whether any thread of a comparable run wrote this element of the output.
bool is_written(const Trace& trace, std::size_t index);

}  // namespace upsweep
