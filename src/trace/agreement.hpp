// Defines the possible results when a hardware counter is compared with a recording's prediction.
#pragma once

namespace upsweep {

enum class Agreement {
  predicted_only,  // nothing was measured
  same,
  // The measured number is different in each run, so the measured and the predicted number are not compared.
  // The measured number depends on how often blocks poll while they wait, or on how CUDA starts grids from
  // kernels.
  varies,
  different
};

}  // namespace upsweep
