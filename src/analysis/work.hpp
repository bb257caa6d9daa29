// Counts work, span and parallelism from the recording, over all blocks.
#pragma once
#include <cstdint>
#include <optional>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns whether an event is an atomic on global memory that applies the operator. These atomics are
// recorded for all blocks. work() counts these events, because in older recordings, Trace::counts does not
// always say whether an atomic applies the operator.
inline bool applies_operator(const Event& e) {
  return e.kind == Kind::global_atomic && static_cast<Atomic>(e.detail) == Atomic::combine;
}

struct Work {
  std::int64_t operations = 0;  // the number of operations in the recording
  int steps = 0;  // the number of steps with an operation; steps that only move values do not count
  // The length of the longest chain of operations in which each operation uses the result of the previous
  // operation. Even with any number of processors, these operations must run one after another. Empty if the
  // span was not counted and some blocks were not recorded in full.
  std::optional<std::int64_t> span;
  // The peak parallelism: the largest number of operations of equal depth, over all threads, blocks and
  // launches (see Span::widest). With enough processors, these operations could run at the same time. Empty
  // if not all events are recorded, or if there are too many events.
  std::optional<std::int64_t> peak;
  // The largest number of threads that apply the operator in one step. Empty if `span` is empty.
  std::optional<std::int64_t> busiest;
  // Returns the average parallelism: operations / span. Returns nullopt if there is no span.
  std::optional<double> average() const {
    if (!span || *span == 0) return {};
    return static_cast<double>(operations) / static_cast<double>(*span);
  }
};

// Throws Cancelled if the job is cancelled meanwhile.
Work work(const Trace& trace, Job* job = nullptr);

}  // namespace upsweep
