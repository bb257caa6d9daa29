// A barrier in a loop that threads leave
// Idea        This in-place Hillis-Steele scan is printed in lecture notes. Thread t loops while element t - stride exists.
//             So threads with a small t leave the loop early and never reach the barriers at which the other threads wait.
// Gives       inclusive scan
// Elements    1 per thread
// Variants    none
// Steps       log2(n)
// Operations  n * log2(n) - (n - 1)
// Broken      divergent barrier at "other threads will load"
// Right       scan_hillis_steele
// Watch       Thread t leaves the loop when the stride exceeds t. CUDA does not define what happens then. The other threads may wait forever at the barrier in the loop, or the
//             GPU may combine this barrier with the barrier after the loop. All threads must run the same number of iterations, but not every thread must work in each iteration.
// Source      [MIT] CUDA prefix sum step by step; [W4] week 4, Hwu
template <class T>
__global__ void bug_barrier_in_divergent_loop(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;

  step(Phase::load);
  if (t < n) temp[t] = in[t];

  for (int stride = 1; stride <= t && t < n; stride *= 2) {
    __syncthreads();  // all threads have stored the elements that other threads will load
    step(Phase::scan, stride);
    T left = temp[t - stride];
    __syncthreads();  // all threads have loaded these elements
    step(Phase::scan, stride);
    T right = temp[t];
    temp[t] = op(left, right);
  }

  __syncthreads();
  step(Phase::store);
  if (t < n) out[t] = temp[t];
}
