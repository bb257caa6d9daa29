// Work and steps, counted from the recording, over all its blocks.
#pragma once
#include <cstdint>

#include "trace/trace.hpp"

namespace upsweep {

// Returns whether an event applies the operator in memory, atomically. Such events are recorded for all
// blocks.
inline bool applies_operator(const Event& e) {
  return is_atomic(e.kind) && static_cast<Atomic>(e.detail) == Atomic::combine;
}

struct Work {
  std::int64_t operations = 0;  // counted
  int steps = 0;                // steps with an operation in them (a stride split by a barrier counts once)
  std::int64_t peak = 0;        // the maximum number of operations in one step: the peak parallelism
  double average = 0;           // operations / steps
};

Work work(const Trace& trace);

}  // namespace upsweep
