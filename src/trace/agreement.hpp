// Whether the hardware counted what a recording predicts.
#pragma once

namespace upsweep {

enum class Agreement {
  predicted_only,  // nothing was measured
  same,
  // The number depends on the run: on what blocks read while they wait for others, and on what CUDA does to
  // start grids from kernels.
  varies,
  different
};

}  // namespace upsweep
