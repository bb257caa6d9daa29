// Finds where the elements of the input go. Kernels that select, sort or transpose only move elements, so
// each value in such a kernel is an element of its first input.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Moves {
  static constexpr std::uint32_t none = UINT32_MAX;

  // By entry of Trace::lanes: the index of the input element whose value the entry holds. It is `none` for a
  // computed value, for a cell of another kind, and for a value whose source the recording does not show.
  std::vector<std::uint32_t> element;

  // A cell of the first output, and the last store to it.
  struct Arrival {
    std::uint32_t from = none;   // the input element that is now in the cell
    std::uint32_t event = none;  // the store, as an index into Trace::events
    int lane = -1;
    // The first step after which the place is known. This is the step of the store, or an earlier step that
    // wrote a count with the place. The storing lane read this count at the element's index.
    int known_from = -1;
    bool known() const { return from != none; }
    bool operator==(const Arrival&) const = default;
  };
  std::vector<Arrival> output;       // by cell of the first output
  std::vector<std::uint32_t> place;  // by input element: its first cell in the output, or `none`
  // By input element: the first step of the phase `flag` that stored the count 0 for the element; -1 if no
  // such step is recorded. Such a step shows that a selection drops the element.
  std::vector<int> dropped_in;

  std::int64_t arrived = 0;                 // cells of the output whose element is known
  std::vector<std::int64_t> arrived_after;  // by step: the cells whose store is in this step or earlier
  // The smallest ranges of elements and of output cells, from the first to the last, that hold all known
  // moves.
  struct Range {
    std::int64_t first = 0, last = -1;
    std::int64_t count() const { return last - first + 1; }
    void include(std::int64_t i) {
      *this = last < first ? Range{i, i} : Range{std::min(first, i), std::max(last, i)};
    }
  };
  Range from, to;
  // The number of pairs of arrows that cross. An arrow goes from an element to its cell.
  std::int64_t crossings = 0;
};

// Follows each element through registers, shared memory and global memory by the recorded origins. An element
// is followed only as long as each load reads its value and no unrecorded store can have replaced the
// element. Takes time in proportion to the recorded events. Throws Cancelled if the job is cancelled
// meanwhile; a null job is never cancelled.
Moves moves(const Trace& trace, const Job* job = nullptr);

// Returns the entry of Trace::lanes for a lane's access to the cell that begins at `byte`. Returns
// Moves::none if the lane did not access this cell in the event.
std::uint32_t entry_at(const Trace& trace, const Event& event, int lane, std::int64_t byte);

}  // namespace upsweep
