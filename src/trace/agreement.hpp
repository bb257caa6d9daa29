// The result of comparing a hardware counter with a recording's prediction.
#pragma once

namespace upsweep {

enum class Agreement {
  predicted_only,  // nothing was measured
  same,
  // The number is different in each run, so it is not compared. It depends on how often blocks poll while
  // they wait for other blocks, or on what CUDA does to start grids from kernels.
  varies,
  different
};

}  // namespace upsweep
