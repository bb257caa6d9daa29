// A result that is never written
// Idea        This Hillis-Steele scan has all its barriers, but its last line is missing. The sums
//             stay in shared memory, and the content of shared memory is lost when the block ends.
// Gives       inclusive scan
// Elements    1 per thread
// Variants    none
// Steps       log2(n)
// Operations  n * log2(n) - (n - 1)
// Broken      wrong result at "temp[t] = op(left, right);"
// Right       scan_hillis_steele
// Watch       After the last stride, shared memory holds the right sums. But no thread stores these sums, so the output keeps the values from
//             before the launch. The cited text calls this scan exclusive, but the scan is inclusive: each sum includes its own element.
// Source      [MIT] CUDA prefix sum step by step
template <class T>
__global__ void bug_output_never_written(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;

  step(Phase::load);
  if (t < n) temp[t] = in[t];

  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    step(Phase::scan, stride);
    const bool works = t >= stride && t < n;
    T left = identity<T>();
    if (works) left = temp[t - stride];

    __syncthreads();
    step(Phase::scan, stride);
    if (works) {
      T right = temp[t];
      temp[t] = op(left, right);
    }
  }
}
