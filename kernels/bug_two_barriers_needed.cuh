// One barrier instead of two
// Idea        This in-place Hillis-Steele scan has one barrier per stride. Because of this barrier, all threads write
//             before any thread reads at the next stride. But a thread may write before the other threads have read.
// Gives       inclusive scan
// Elements    1 per thread
// Variants    none
// Steps       log2(n)
// Operations  n * log2(n) - (n - 1)
// Broken      shared race at "T left = temp[t - stride]"
// Right       scan_hillis_steele
// Watch       If a thread's left partner is faster, the thread reads the partner's new sum instead of the old sum. If a warp runs in lockstep, all its lanes read before any lane
//             writes. But warps do not run in lockstep with each other, so the result depends on the order of the warps. A second barrier or a second buffer removes the race.
// Source      Our own; see also scan_double_buffer
template <class T>
__global__ void bug_two_barriers_needed(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;

  step(Phase::load);
  if (t < n) temp[t] = in[t];

  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    step(Phase::scan, stride);
    if (t >= stride && t < n) {
      T left = temp[t - stride];
      T right = temp[t];
      temp[t] = op(left, right);
    }
  }

  // No barrier is needed, because each thread loads the element that it stored itself.
  step(Phase::store);
  if (t < n) out[t] = temp[t];
}
