// Reduction with interleaved addressing
// Idea        At each stride, pairs of partial sums are added in place. The two sums of a pair lie one stride apart, and their total replaces the left sum.
// Gives       reduction
// Elements    2 per thread
// Variants    none
// Steps       log2(n)
// Operations  n - 1
// Span        log2(n)
// Watch       Thread t works if t is a multiple of the stride. Up to stride 32, every warp has a thread that works. From stride 2 on, every warp that works diverges. Up to stride 16, bank conflicts are 2-way.
// Source      [W4] Heterogeneous Parallel Programming, week 4, Hwu; Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 1
template <class T>
__global__ void reduce_interleaved(Global<const T> in, Global<T> out, int n) {
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

  // Element 2t adds the partial sum that lies one stride to its right. Left and right operands keep their order, so the operator does not have to be commutative.
  for (int stride = 1; stride < width; stride *= 2) {
    __syncthreads();
    step(Phase::reduce, stride);
    if (t < half) {
      if (2 * t % (2 * stride) == 0) {
        T left = temp[2 * t];
        T right = temp[2 * t + stride];
        temp[2 * t] = op(left, right);
      }
    }
  }

  // No barrier is needed, because thread 0 loads a value that thread 0 itself stored.
  step(Phase::store);
  if (t == 0) out[0] = temp[0];
}
