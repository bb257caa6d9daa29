// Turns the log of the recorder on the GPU into a trace.
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
  std::vector<LogEvent> events;  // in the order of issue; a kind of 0xff was never written
  std::vector<std::uint32_t> pool;
  std::vector<LogCount> counts;
  std::vector<LogRun> runs;
  std::vector<LogGrid> grids;  // by index; the host's launches come first and are not filled in
  std::vector<LogSnapshot> snapshots;
  std::vector<LogStop> stops;
};

// Throws WorkError if the recorder could not count all events or words. Then later events have overwritten
// earlier ones.
void expect_countable(const Log& state);

// Sets everything that was recorded. Throws as expect_countable() does. When it is called, the trace must
// have its settings and buffers, and `grids` must be the host's launches (kernel, blocks, threads, shared).
// `kernels` names the kernels of the text in order. Events get canonical order, origins their new numbers,
// and lanes lose their gaps. Cells of shared memory that were never stored are zero.
void read_log(const GpuLog& log, const std::vector<std::string>& kernels, Trace& trace);

}  // namespace upsweep
