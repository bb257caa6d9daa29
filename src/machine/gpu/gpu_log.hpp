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
  Log state{};                   // the state at the end of the run
  std::vector<LogEvent> events;  // in the order of issue; the kind 0xff marks an event that was never written
  std::vector<std::uint32_t> pool;
  std::vector<LogCount> counts;
  std::vector<LogRun> runs;
  std::vector<LogGrid> grids;  // grids[i] describes launch i; the entries of the host's launches, which come
                               // first, are not filled in
  std::vector<LogSnapshot> snapshots;
  std::vector<LogStop> stops;
};

// Throws WorkError if the recorder's counters of events or words overflowed, because later events have then
// overwritten earlier events.
void expect_countable(const Log& state);

// Writes everything that was recorded into `trace`. Sorts the events into canonical order, and updates all
// indices into Trace::events and Trace::lanes. In snapshots, bytes that were never stored become zero.
//
// Requires that the trace has its settings and buffers, and that Trace::grids has the host's launches
// (kernel, blocks, threads, shared). `kernels` names the kernels of the text in order. Throws as
// expect_countable() does.
void read_log(const GpuLog& log, const std::vector<std::string>& kernels, Trace& trace);

}  // namespace upsweep
