// The span of a recording (its longest chain of operations), and how many threads applied the operator in
// each step.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Span {
  // The number of operations in the longest chain in which each operation uses the result of the operation
  // before it. The result may pass through registers, shuffles, memory and atomics, to other threads and
  // launches.
  std::int64_t length = 0;
  std::vector<std::uint32_t> operating;  // for each step: the number of threads that apply the operator in it
  // The depth of an operation is the length of the longest chain that ends with it. `widest` is the largest
  // number of operations of equal depth, or -1 if the events were not followed. It is at least the number of
  // all operations divided by `length`.
  std::int64_t widest = -1;
};

// Returns what the recorder counted (Trace::span). Also sets `widest` if all events were recorded and there
// are not too many of them. If the recorder did not count, finds the span by following the values through the
// events, and returns nothing if some events were not recorded. Throws Cancelled if the job is cancelled.
std::optional<Span> span(const Trace& trace, Job* job = nullptr);

// Follows the values through the events, even if the recorder counted the span.
std::optional<Span> span_of_events(const Trace& trace, Job* job = nullptr);

}  // namespace upsweep
