// A barrier in a loop that threads leave
// Idea        Hillis-Steele in place, as printed in lecture notes: every thread loops for as long as it has a left partner. But threads with few
//             partners leave the loop early, and never come to the barriers that the others wait at.
// Gives       inclusive scan
// Elements    1 per thread
// Variants    none
// Steps       log2(n)
// Operations  n * log2(n) - (n - 1)
// Broken      divergent barrier at "to read"
// Watch       Thread t is gone once the stride is beyond t. Whether the others wait for ever, or the barriers of the loop pair up with the one behind it,
//             is the machine's choice. All threads must make the same trips, and only the work may depend on the thread.
// Source      [MIT] CUDA prefix sum step by step; [W4] week 4, Hwu
template <class T>
__global__ void bug_barrier_in_divergent_loop(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;

  step(Phase::load);
  if (t < n) temp[t] = in[t];

  for (int stride = 1; stride <= t && t < n; stride *= 2) {
    __syncthreads();  // all have written what others are about to read
    T left = temp[t - stride];
    __syncthreads();  // all have read
    T right = temp[t];
    temp[t] = op(left, right);
  }

  __syncthreads();
  if (t < n) out[t] = temp[t];
}
