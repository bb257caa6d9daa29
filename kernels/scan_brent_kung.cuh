// Brent-Kung scan
// Idea        Add up pairs of sums in place, from the leaves of a tree to its root. Then go down again in the reverse phase: add
//             each finished sum to the element one stride to its right. The scan is exclusive if the load is shifted by one element.
// Gives       inclusive or exclusive scan
// Elements    2 per thread
// Variants    none
// Steps       2 * log2(n) - 1
// Operations  (n - 1) + (n - 2) - (log2(n) - 1)
// Span        max(log2(n), 2 * log2(n) - 2)
// Watch       The working threads are neighbours, so few warps diverge. But the elements of these threads lie far apart, which causes bank conflicts.
// Source      [MIT] CUDA prefix sum step by step; [W4] week 4, Hwu; Brent and Kung, A Regular Layout for Parallel Adders, 1982
template <class T>
__global__ void scan_brent_kung(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int width = tree_width(n);      // the number of leaves of the tree: a power of two, at least 2
  const int half = width / 2;           // the number of threads that work
  const int shift = exclusive ? 1 : 0;  // place i of an exclusive scan gets element i - 1, and place 0 gets the identity

  // Each thread loads two elements, or the identity beyond the end of the array.
  step(Phase::load);
  if (t < half) {
    T x = identity<T>(), y = identity<T>();
    if (t < n && (t > 0 || !exclusive)) x = in[t - shift];
    if (t + half < n) y = in[t + half - shift];
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
    if (t + half < n) out[t + half] = temp[t + half];
  }
}
