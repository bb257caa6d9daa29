// The result of comparing a hardware counter with a recording's prediction.
#pragma once

namespace upsweep {

enum class Agreement {
  predicted_only,  // nothing was measured
  same,
  // The number is different in each run, so the two numbers are not compared. The number depends on how often
  // blocks poll while they wait, or on how CUDA starts grids from kernels.
  varies,
  different
};

}  // namespace upsweep
