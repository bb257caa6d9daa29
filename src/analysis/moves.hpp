// Finds the place to which each element of the input moves. Kernels that select, sort or transpose only move
// elements: each value in these kernels is an element of the first input.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Moves {
  static constexpr std::uint32_t none = UINT32_MAX;

  // For each entry of Trace::lanes: the index of the input element whose value the entry holds. The index is
  // `none` for a computed value, for a cell of another kind, and for a value whose source the recording does
  // not show.
  std::vector<std::uint32_t> element;

  // A cell of the first output, and the last store to this cell.
  struct Arrival {
    std::uint32_t from = none;   // the input element that is now in the cell
    std::uint32_t event = none;  // the store, as an index into Trace::events
    int lane = -1;
    // The first step after which the recording shows to which cell the element moves. Usually, this is the
    // step of the store. But some kernels compute the index of the cell in an earlier step, and store this
    // index in a buffer. In this case, `known_from` is the step that stored the index.
    int known_from = -1;
    bool known() const { return from != none; }
    bool operator==(const Arrival&) const = default;
  };
  std::vector<Arrival> output;       // one element for each cell of the first output
  std::vector<std::uint32_t> place;  // for each input element: its first cell in the output, or `none`
  // For each input element: the first step of the phase `flag` that stored the count 0 for the element; -1 if
  // no such store is recorded. The count 0 shows that a selection drops the element.
  std::vector<int> dropped_in;

  std::int64_t arrived = 0;  // the number of cells of the output whose element is known
  // For each step: the number of output cells whose element is known and whose store is in this step or in an
  // earlier step.
  std::vector<std::int64_t> arrived_after;
  // `from` is the smallest range of input elements that contains all elements with a known move. `to` is the
  // smallest range of output cells that contains the cells of all these elements.
  struct Range {
    std::int64_t first = 0, last = -1;
    std::int64_t count() const { return last - first + 1; }
    void include(std::int64_t i) {
      *this = last < first ? Range{i, i} : Range{std::min(first, i), std::max(last, i)};
    }
  };
  Range from, to;
  // The number of pairs of crossing arrows, if an arrow is drawn from each element to its cell.
  std::int64_t crossings = 0;
};

// Follows each element through registers, shared memory and global memory. The recorded origins say which
// event produced each value. An element is followed only as long as each load reads the element's value and
// no unrecorded store can have replaced the element.
//
// Takes time in proportion to the recorded events. Throws Cancelled if the job is cancelled meanwhile; a null
// job is never cancelled.
Moves moves(const Trace& trace, const Job* job = nullptr);

// Returns the entry of Trace::lanes for a lane's access to the cell that begins at `byte`. Returns
// Moves::none if the lane did not access this cell in the event.
std::uint32_t entry_at(const Trace& trace, const Event& event, int lane, std::int64_t byte);

}  // namespace upsweep
