// The span of a recording, and the numbers of threads that applied the operator. Both are found by following
// values through the events.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Span {
  // The number of applications of the operator in the longest chain in which each uses the result of the one
  // before, through registers, shuffles, shared and global memory and atomics, across threads and launches.
  std::int64_t length = 0;
  std::vector<std::uint32_t> operating;  // for each step: the number of threads that apply the operator in it
  // The largest number of applications at the same distance along their longest chains, or -1 if the events
  // were not followed. It is at least all applications divided by `length`.
  std::int64_t widest = -1;
};

// Returns what the recorder counted (Trace::span), with `widest` if all events are recorded and are not too
// many to follow. If the recorder did not count, follows the values through the events. Returns nothing if
// the events of some block are not recorded. Throws Cancelled.
std::optional<Span> span(const Trace& trace, Job* job = nullptr);

// Follows the values through the events, even if the recorder counted the span.
std::optional<Span> span_of_events(const Trace& trace, Job* job = nullptr);

}  // namespace upsweep
