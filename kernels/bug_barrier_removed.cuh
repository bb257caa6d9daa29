// A removed barrier
// Idea        This Brent-Kung scan lacks the barrier at the start of its reduction loop. A thread may begin the next stride
//             while other threads still write the sums that this thread needs. Upsweep can remove any barrier of any kernel.
// Gives       inclusive scan
// Elements    2 per thread
// Variants    none
// Steps       2 * log2(n) - 1
// Operations  (n - 1) + (n - 2) - (log2(n) - 1)
// Broken      shared race at "T left = temp[index - stride]"
// Right       scan_brent_kung
// Watch       The result depends on which thread is faster, so some runs have the right result. A race is an error of the
//             program, not of one run. Upsweep therefore finds the race in the recording, even if the result is right.
// Source      Our own
template <class T>
__global__ void bug_barrier_removed(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int width = tree_width(n);  // the number of leaves of the tree: a power of two, at least 2
  const int half = width / 2;       // the number of threads that work

  step(Phase::load);
  if (t < half) {
    T x = identity<T>(), y = identity<T>();
    if (t < n) x = in[t];
    if (t + half < n) y = in[t + half];
    temp[t] = x;
    temp[t + half] = y;
  }
  __syncthreads();

  for (int stride = 1; stride < width; stride *= 2) {
    // __syncthreads() was removed here.
    step(Phase::reduce, stride);
    const int index = (t + 1) * stride * 2 - 1;
    if (index < width) {
      T left = temp[index - stride];
      T right = temp[index];
      temp[index] = op(left, right);
    }
  }

  for (int stride = half / 2; stride > 0; stride /= 2) {
    __syncthreads();
    step(Phase::reverse, stride);
    const int index = (t + 1) * stride * 2 - 1;
    if (index + stride < width) {
      T before = temp[index];
      T right = temp[index + stride];
      temp[index + stride] = op(before, right);
    }
  }

  __syncthreads();
  step(Phase::store);
  if (t < half) {
    if (t < n) out[t] = temp[t];
    if (t + half < n) out[t + half] = temp[t + half];
  }
}
