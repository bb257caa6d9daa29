// Reduction with sequential addressing, written by hand for float sums.

// Returns n rounded up to a power of two, at least 2.
__device__ int tree_width(int n) { return n <= 2 ? 2 : 1 << (32 - __clz(n - 1)); }

extern "C" __global__ void reduce_sequential(const float* in, float* out, int n) {
  extern __shared__ float temp[];
  const int t = threadIdx.x;
  const int width = tree_width(n);
  const int half = width / 2;

  if (t < half) {
    float x = 0, y = 0;
    if (t < n) x = in[t];
    if (t + half < n) y = in[t + half];
    temp[t] = x;
    temp[t + half] = y;
  }

  for (int stride = half; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) temp[t] = temp[t] + temp[t + stride];
  }

  if (t == 0) out[0] = temp[0];
}
