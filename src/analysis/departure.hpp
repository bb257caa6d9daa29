// Finds the departure: the first place at which a run with a wrong result differs from a run of the correct
// kernel.
//
// Both runs have the same data and settings. Two values count as equal if they are sums of the same input
// elements (see ValueHistory). The times at which the values were computed do not matter.
//
// The search starts at the wrong element of the output. The search follows each wrong value back to the cells
// from which the value was computed. If none of these cells is wrong, the search has found a place:
// - a thread reads a cell too early or too late,
// - a thread stores a wrong value, or stores a correct value too late, or
// - a block ends without a store that the correct run makes.
//
// If the search finds several places, the result is the place in the earliest step. If this step has several
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
  // If padding has moved the element in the cell: the element's index before padding. Otherwise -1.
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

// Returns the first difference between the runs that makes element `index` of the wrong run's output wrong.
// Returns nullopt if the search finds no such difference. `right` is a trace of the correct kernel.
// is_comparable() must be true for both traces.
//
// Throws Cancelled if the job is cancelled meanwhile; a null job is never cancelled.
std::optional<Departure> first_departure(const Trace& wrong, const Trace& right, std::size_t index,
                                         const Job* job = nullptr);

// Returns whether any thread of a comparable run wrote this element of the output.
bool is_written(const Trace& trace, std::size_t index);

}  // namespace upsweep
