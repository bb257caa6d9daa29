// Beyond the end in the reverse phase
// Idea        In the reverse phase of this Brent-Kung scan, a thread checks that `index` is in the array, but writes the
//             element at `index + stride`. At every stride, the last thread writes beyond the end of the shared array.
// Gives       inclusive scan
// Elements    2 per thread
// Variants    none
// Steps       2 * log2(n) - 1
// Operations  (n - 1) + (n - 2) - (log2(n) - 1)
// Broken      out of bounds at "T right = temp[index + stride]"
// Right       scan_brent_kung
// Watch       The result is still right, because no output is computed from the cells beyond the end. In a larger kernel, these cells may belong to another array.
// Source      [MIT] CUDA prefix sum step by step
template <class T>
__global__ void bug_reverse_overrun(Global<const T> in, Global<T> out, int n) {
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

  for (int stride = half / 2; stride > 0; stride /= 2) {
    __syncthreads();
    step(Phase::reverse, stride);
    const int index = (t + 1) * stride * 2 - 1;
    if (index < width) {
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
