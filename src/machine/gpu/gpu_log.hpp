// From what the recorder on the GPU wrote to a trace.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

#include "vocabulary/gpu_log.cuh"

// A recorder's log, copied from the GPU.
struct GpuLog {
  Log state{};                   // as the run left it
  std::vector<LogEvent> events;  // in the order in which they were issued; a kind of 0xff: never written
  std::vector<std::uint32_t> pool;
  std::vector<LogCount> counts;
  std::vector<LogRun> runs;
  std::vector<LogGrid> grids;  // by index; the host's launches first, which are not filled in
  std::vector<LogSnapshot> snapshots;
  std::vector<LogStop> stops;
};

// Throws WorkError if the recorder could not count all events or words. Then later events have overwritten
// earlier ones.
void expect_countable(const Log& state);

// Fills in all that was recorded. Throws as expect_countable() does. On entry the trace's settings and
// buffers are set, and `grids` are the host's launches (kernel, blocks, threads, shared); `kernels` names
// those of the text in its order. Events come in canonical order, origins renumbered to match, lanes
// compacted; cells of shared memory that nothing was stored to are zero.
void read_log(const GpuLog& log, const std::vector<std::string>& kernels, Trace& trace);

}  // namespace upsweep
