// Half of the elements are not loaded
// Idea        This Brent-Kung scan has two elements per thread, but each thread loads only one element.
//             So the upper half of shared memory holds values that an earlier kernel left there.
// Gives       inclusive scan
// Elements    2 per thread
// Variants    none
// Steps       2 * log2(n) - 1
// Operations  (n - 1) + (n - 2) - (log2(n) - 1)
// Broken      uninitialised read at "T left = temp[index - stride]"
// Right       scan_brent_kung
// Watch       The lower half of the output is right. The upper half is right only by luck, if an earlier kernel left the right numbers in shared memory.
// Source      [MIT] CUDA prefix sum step by step
template <class T>
__global__ void bug_half_loaded(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int width = tree_width(n);  // the number of leaves of the tree: a power of two, at least 2
  const int half = width / 2;       // the number of threads that work

  step(Phase::load);
  if (t < half) {
    T x = identity<T>();
    if (t < n) x = in[t];
    temp[t] = x;
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
