// Blelloch scan without bank conflicts, written by hand for float sums.
#define CONFLICT_FREE(i) ((i) + ((i) >> 5))

// Returns n rounded up to a power of two, at least 2.
__device__ int tree_width(int n) { return n <= 2 ? 2 : 1 << (32 - __clz(n - 1)); }

extern "C" __global__ void scan_blelloch(const float* in, float* out, int n) {
  extern __shared__ float temp[];
  const int t = threadIdx.x;
  const int width = tree_width(n);
  const int half = width / 2;

  const int a = t;
  const int b = t + half;
  if (t < half) {
    float x = 0, y = 0;
    if (a < n) x = in[a];
    if (b < n) y = in[b];
    temp[CONFLICT_FREE(a)] = x;
    temp[CONFLICT_FREE(b)] = y;
  }

  int stride = 1;
  for (int d = half; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
      const int ai = CONFLICT_FREE(stride * (2 * t + 1) - 1);
      const int bi = CONFLICT_FREE(stride * (2 * t + 2) - 1);
      temp[bi] = temp[ai] + temp[bi];
    }
    stride *= 2;
  }

  if (t == 0) temp[CONFLICT_FREE(width - 1)] = 0;

  for (int d = 1; d < width; d *= 2) {
    stride /= 2;
    __syncthreads();
    if (t < d) {
      const int ai = CONFLICT_FREE(stride * (2 * t + 1) - 1);
      const int bi = CONFLICT_FREE(stride * (2 * t + 2) - 1);
      const float sum = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] = temp[bi] + sum;
    }
  }

  __syncthreads();
  if (t < half) {
    if (a < n) out[a] = temp[CONFLICT_FREE(a)];
    if (b < n) out[b] = temp[CONFLICT_FREE(b)];
  }
}
