// Hillis-Steele scan, written by hand for float sums.
extern "C" __global__ void scan_hillis_steele(const float* in, float* out, int n) {
  extern __shared__ float temp[];
  const int t = threadIdx.x;

  if (t < n) temp[t] = in[t];

  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    const bool works = t >= stride && t < n;
    float left = 0;
    if (works) left = temp[t - stride];

    __syncthreads();
    if (works) temp[t] = left + temp[t];
  }

  if (t < n) out[t] = temp[t];
}
