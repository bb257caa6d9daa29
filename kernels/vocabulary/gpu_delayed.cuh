// For tests: adds random delays to kernels without a recorder, at volatile accesses, fences, and atomics on volatile words.
// Blocks wait for each other by these actions. A correct kernel computes the same result with any delays.
#pragma once
__device__ unsigned upsweep_delays;  // seed; set by the host before each run

namespace upsweep {

__device__ inline unsigned mixed(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}
// One block in eight is always slow. In the other blocks, one access in 32 is slow.
__device__ inline void delay() {
  const unsigned block = mixed(upsweep_delays + blockIdx.x + gridDim.x * blockIdx.y), now = mixed(block ^ static_cast<unsigned>(clock64()));
  if (block % 8 == 0 || now % 32 == 0) __nanosleep(now >> 5 & 4095);
}

}  // namespace upsweep

#define UPSWEEP_DELAY upsweep::delay()
#include "gpu_fast.cuh"
#define __threadfence() (upsweep::delay(), __threadfence())
