// Measures a sweep over sizes on this computer's GPU and CPU.
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
  std::size_t done = 0, all = 0;  // the numbers of finished rows and of all rows
  Message what;                   // the row in progress: "scan_blelloch pad32, n = 1,048,576"
  const Timings& so_far;          // the rows of all finished sizes; valid only during the call
};

// Measures all rows of the request, size by size. If there is no GPU, the `missing` of the GPU's rows
// contains the reason.
//
// If a row fails (not enough memory, an error, a wrong result or a kernel that never ends), the row's
// `missing` gets the reason. Its kernel, library or CPU then has no rows at larger sizes, and the sweep
// continues with the other rows. If the GPU fails completely, the sweep continues only on the CPU.
//
// `stop` ends the sweep within 200 ms; the function then returns the rows that it has measured. `progress` is
// called in the caller's thread. Other work of this process on the GPU makes the sweep slower.
Timings measure(const SweepRequest& request, const std::function<void(const SweepProgress&)>& progress = {},
                std::stop_token stop = {});

// Returns why no GPU can be timed here, without the advice to use the emulator. Returns an empty message if a
// GPU can be timed.
Message why_no_gpu();

}  // namespace upsweep
