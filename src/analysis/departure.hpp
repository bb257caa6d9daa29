// Finds the departure: the first place at which a run with a wrong result differs from a run of the correct
// kernel.
//
// Both runs have the same data and settings. Two values count as equal if they are sums of the same input
// elements (see ValueHistory). The times at which the values were computed do not matter. The search starts
// at the wrong element of the output. From each wrong value, the search goes back to the wrong values from
// which this value was computed:
//
// - If the correct run also writes the wrong value to the same cell, but at another time, a store is missing,
//   late or early. The departure is the read of the cell, or the late store. But if the value was computed
//   from cells whose values differ between the runs, the search continues at these cells.
// - If the correct run never writes the wrong value to the same cell, and if both runs computed the value
//   from the same cells, the search continues at the cells whose values differ. If the runs used different
//   cells, the search continues at the cells with values that the correct run never writes there. If there
//   are no such cells, the departure is the store of the wrong value.
// - If no thread wrote the wrong element of the output, or if the last store to this element is missing, the
//   search continues at the cells from which the missing value should have been computed. If all these cells
//   are correct, the departure is the end of the block that should have stored the value.
//
// If these rules find several places, the result is the place in the earliest step. If this step has several
// places, the result is the earliest of these places. A place at which both runs have equal numbers by chance
// is the result only if no other place is found.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Departure {
  enum class How : std::uint8_t {
    reads,   // a thread reads a wrong value
    writes,  // a thread writes a wrong value, or writes a correct value too late
    ends,    // the block ends without a store that the correct run makes
  } how = How::writes;
  std::uint32_t step = 0;
  int line = 0;  // the line of the kernel's text, from 1
  std::uint32_t grid = 0, block = 0;
  int thread = 0;
  // `shared`, `buffer` and `cell` name the cell that the thread reads, writes or should have written.
  // `shared` is true for shared memory, and false for global memory.
  bool shared = false;
  int buffer = 0;  // the buffer of global memory, or the region of shared memory
  // The cell's index in the buffer or region. In region 0 of shared memory, padding cells are counted, too.
  std::int64_t cell = 0;
  // The index, without padding, of the element in the cell. -1 if padding has not moved this element, or if
  // the cell is not in region 0 of shared memory.
  std::int64_t element = -1;
  // `got` is the value that the thread read or wrote. `expected` is the value that the correct run has in the
  // same cell at this place. `expected` is valid only if has_expected is true.
  Value got{}, expected{};
  bool has_expected = false;
  bool written = true;  // if a thread reads the cell: whether any thread wrote the cell before
};

// Returns whether the run can be compared with another run. A comparison needs an output, blocks that were
// all recorded in full, no dropped records, and a trace that is not too large.
bool is_comparable(const Trace& trace);

// Element `index` of the wrong run's output is wrong. Returns the first difference between the runs that
// makes this element wrong, or nullopt if the search finds no such difference. `right` is a trace of the
// correct kernel. is_comparable() must be true for both traces.
//
// Throws Cancelled if the job is cancelled meanwhile; a null job is never cancelled.
std::optional<Departure> first_departure(const Trace& wrong, const Trace& right, std::size_t index,
                                         const Job* job = nullptr);

// Returns whether any thread of a comparable run wrote this element of the output.
bool is_written(const Trace& trace, std::size_t index);

}  // namespace upsweep
