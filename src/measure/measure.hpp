// Measures a sweep over sizes, on the GPU and the CPU of this computer.
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
  Message what;                   // the row that is measured now: "scan_blelloch pad32, n = 1048576"
  const Timings& so_far;          // the rows of all finished sizes; valid only during the call
};

// Measures everything that the request asks for, size by size. Without a GPU, the GPU's rows say so. If a row
// fails (no memory, a kernel that fails, gives a wrong result or never ends), its `missing` gets the reason,
// its contender has no rows at larger sizes, and the sweep goes on with the others. If the GPU is lost, only
// the CPU goes on. `stop` ends the sweep within 200 ms with the results so far. `progress` is called in this
// thread. The sweep uses the GPU that the whole process shares, so other work on it slows it down.
Timings measure(const SweepRequest& request, const std::function<void(const SweepProgress&)>& progress = {},
                std::stop_token stop = {});

// Returns why no GPU can be timed here, without the advice to use the emulator; no message if one can.
Message why_no_gpu();

}  // namespace upsweep
