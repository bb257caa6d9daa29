// Computes the span of a recording (its longest chain of operations), and the number of threads that applied
// the operator in each step.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Span {
  // The number of operations in the longest chain in which each operation uses the result of the previous
  // operation. The result may pass through registers, shuffles, memory and atomics, to other threads and
  // launches.
  std::int64_t length = 0;
  // For each step: the number of threads that apply the operator in this step.
  std::vector<std::uint32_t> operating;
  // The depth of an operation is the length of the longest chain that ends with this operation. `widest` is
  // the largest number of operations of equal depth, or -1 if the events were not followed. `widest` is at
  // least the number of all operations divided by `length`.
  std::int64_t widest = -1;
};

// Returns the span that the recorder counted (Trace::span). Also sets `widest`, if all events were recorded
// and the trace is not too large. If the recorder did not count the span, returns span_of_events(). Throws
// Cancelled if the job is cancelled.
std::optional<Span> span(const Trace& trace, Job* job = nullptr);

// Computes the span by following the values through the events. Returns nullopt if some events were not
// recorded. Throws Cancelled if the job is cancelled.
std::optional<Span> span_of_events(const Trace& trace, Job* job = nullptr);

}  // namespace upsweep
