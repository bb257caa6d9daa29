// From what the recorder on the GPU wrote to a trace.
#pragma once
#include <cstddef>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

#include "vocabulary/gpu_log.cuh"

// A recorder's log, copied from the GPU.
struct GpuLog {
  std::vector<LogEntry> entries;         // in the order in which they were begun
  std::vector<std::byte> values;         // 32 elements per entry
  std::vector<LogStep> steps;            // all that began
  std::vector<std::uint32_t> snapshots;  // shared memory, as words, per step
  std::uint64_t dropped = 0;
};

// Fills in steps, events, lanes, values, snapshots and `dropped` of a trace whose settings are set: entries
// in canonical order, origins renumbered to match, lanes compacted, cells of shared memory that nothing was
// stored to as zero.
void read_log(const GpuLog& log, Trace& trace);

}  // namespace upsweep
