// Half of the sums are not stored
// Idea        This Brent-Kung scan has two elements per thread, but each thread stores only one element. So the upper half of the output is never written.
// Gives       inclusive scan
// Elements    2 per thread
// Variants    none
// Steps       2 * log2(n) - 1
// Operations  (n - 1) + (n - 2) - (log2(n) - 1)
// Broken      wrong result at "if (t < n) out[t] = temp[t];"
// Right       scan_brent_kung
// Watch       Shared memory holds all sums, and the lower half of the output is right. The scan itself is right. The mistake is in the store.
// Source      [MIT] CUDA prefix sum step by step; [W4] week 4, Hwu
template <class T>
__global__ void bug_half_stored(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int width = tree_width(n);  // the number of leaves of the tree: a power of two, at least 2
  const int half = width / 2;       // the number of threads that work

  // Each thread loads two elements, or the identity beyond the end of the array.
  step(Phase::load);
  if (t < half) {
    T x = identity<T>(), y = identity<T>();
    if (t < n) x = in[t];
    if (t + half < n) y = in[t + half];
    temp[t] = x;
    temp[t + half] = y;
  }

  // Reduction at stride s: elements 2s-1, 4s-1, ... add the sum that is s elements to their left.
  for (int stride = 1; stride < width; stride *= 2) {
    __syncthreads();
    step(Phase::reduce, stride);
    const int index = (t + 1) * stride * 2 - 1;
    if (index < width) {
      T left = temp[index - stride];
      T right = temp[index];
      temp[index] = op(left, right);
    }
  }

  // Reverse order of strides: add each finished sum to the element that is one stride to its right.
  for (int stride = half / 2; stride > 0; stride /= 2) {
    __syncthreads();
    step(Phase::reverse, stride);
    const int index = (t + 1) * stride * 2 - 1;
    if (index + stride < width) {
      T left = temp[index];
      T right = temp[index + stride];
      temp[index + stride] = op(left, right);
    }
  }

  __syncthreads();
  step(Phase::store);
  if (t < half) {
    if (t < n) out[t] = temp[t];
  }
}
