// Finds the departure: the first place at which a run with a wrong result differs from a run of the right
// kernel.
//
// Both runs have the same data and settings. Two values are equal if they are sums of the same input elements
// (see ValueHistory). The time at which they were computed does not matter. The search starts at the wrong
// element of the output, and goes from each wrong value to the wrong values from which it was computed:
//
// - A cell holds a value that the right run also writes there, but at another time. A store is then missing,
//   late or early. The departure is where a thread reads the cell, or where the late store is. If that value
//   was computed from cells with other values than in the right run, the search goes on at those cells.
// - A cell holds a value that the right run never writes there. If both runs computed the cell's value from
//   the same cells, the search goes on at those cells that have other values than in the right run. If no
//   cell differs, or if the runs used other cells, the departure is where the value is written.
// - The wrong element itself was never written, or its last store is missing. If the values that should have
//   been stored are right, the departure is after the last event of the block that should have stored them.
//
// If these rules find several places, the place with the first step is returned, and in that step the first
// event. A place at which both runs have equal numbers by chance is returned only if no other place is found.
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
    writes,  // a thread writes a wrong value, or writes it too late
    ends,    // the block ends without a store that the right run makes
  } how = How::writes;
  std::uint32_t step = 0;
  int line = 0;  // from 1
  std::uint32_t grid = 0, block = 0;
  int thread = 0;
  // The cell that is read, written or not written.
  bool shared = false;
  int buffer = 0;             // the buffer of global memory, or the region of shared memory
  std::int64_t cell = 0;      // the cell's index there; in region 0 of shared memory, padding counts, too
  std::int64_t element = -1;  // region 0: the index of the element in this cell if padding moved it, else -1
  // The value that the thread read or wrote, and the right run's value if there is one (has_expected).
  Value got{}, expected{};
  bool has_expected = false;
  bool written = true;  // if a thread reads the cell: whether any thread wrote it before
};

// Returns whether the run can be compared with another run. It can if it has an output, all its blocks were
// recorded in full, no record was dropped, and it is not too large.
bool is_comparable(const Trace& trace);

// Returns the first departure of the wrong run that makes its output element `index` wrong, or nothing if
// none is found. Both traces must be comparable. Throws Cancelled if the job is cancelled meanwhile; a null
// job is never cancelled.
std::optional<Departure> first_departure(const Trace& wrong, const Trace& right, std::size_t index,
                                         const Job* job = nullptr);

// Returns whether any thread of a comparable run wrote this element of the output.
bool is_written(const Trace& trace, std::size_t index);

}  // namespace upsweep
