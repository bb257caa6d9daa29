// The result of a comparison of a hardware counter with a recording's prediction.
#pragma once

namespace upsweep {

enum class Agreement {
  predicted_only,  // nothing was measured
  same,
  // The number depends on the run: on how often blocks poll while they wait for others, and on what CUDA does
  // to start grids from kernels.
  varies,
  different
};

}  // namespace upsweep
