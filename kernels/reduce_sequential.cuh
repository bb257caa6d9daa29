// Reduction with sequential addressing
// Idea        The stride begins at half the array's length, and is halved again and again. At each stride, the upper half of the remaining elements is added to the lower half.
// Gives       reduction
// Elements    2 per thread
// Variants    none
// Needs       commutative
// Steps       log2(n)
// Operations  n - 1
// Span        log2(n)
// Watch       The working threads are neighbours and read neighbouring words, so there are no bank conflicts. Whole warps stop working, so only the last five strides diverge.
// Source      [W4] Heterogeneous Parallel Programming, week 4, Hwu; [OF] A classic problem of CUDA: reduction, OneFlow, 2021; Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 3
template <class T>
__global__ void reduce_sequential(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int width = tree_width(n);  // the number of leaves of the tree: a power of two, at least 2
  const int half = width / 2;       // the number of threads that work

  // Each working thread loads two elements, or the identity beyond the end of the array.
  step(Phase::load);
  if (t < half) {
    T x = identity<T>(), y = identity<T>();
    if (t < n) x = in[t];
    if (t + half < n) y = in[t + half];
    temp[t] = x;
    temp[t + half] = y;
  }

  // Add the upper half to the lower half, element by element.
  for (int stride = half; stride > 0; stride /= 2) {
    __syncthreads();
    step(Phase::reduce, stride);
    if (t < stride) {
      T near = temp[t];
      T far = temp[t + stride];
      temp[t] = op(near, far);
    }
  }

  // No barrier is needed, because thread 0 loads a value that thread 0 itself stored.
  step(Phase::store);
  if (t == 0) out[0] = temp[0];
}
