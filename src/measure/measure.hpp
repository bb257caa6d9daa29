// Measuring: a sweep over sizes, on the GPU and the CPU of this computer.
#pragma once
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

#include "base/message.hpp"
#include "measure/sweep.hpp"
#include "timing/timings.hpp"

namespace upsweep {

struct SweepProgress {
  std::size_t done = 0, all = 0;  // rows
  Message what;                   // is measured now: "scan_blelloch pad32, n = 1048576"
  const Timings& so_far;          // the rows of all sizes that are finished; valid during the call alone
};

// Measures what the request asks for, size by size. Where there is no GPU, its rows say so. What goes wrong
// with one row (no memory, a kernel that fails, gives a wrong result or never ends) becomes its `missing`,
// and the sweep goes on with what can still be run; that contender has no rows at larger sizes then. Where
// the GPU is lost, the CPU alone goes on. `stop` ends it within 200 ms with what has been measured until
// then. `progress` is called in this thread. Uses the GPU that all of the process shares: whatever else runs
// on it meanwhile slows it down.
Timings measure(const SweepRequest& request, const std::function<void(const SweepProgress&)>& progress = {},
                std::stop_token stop = {});

// Why no GPU can be timed here, without the advice to use the emulator; no message if one can.
Message why_no_gpu();

}  // namespace upsweep
