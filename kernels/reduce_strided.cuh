// Reduction with interleaved addressing, strided index
// Idea        The tree is the same as in reduce_interleaved. But at each stride, thread t adds up pair t, so the working threads are neighbours.
// Gives       reduction
// Elements    2 per thread
// Variants    none
// Steps       log2(n)
// Operations  n - 1
// Span        log2(n)
// Watch       Only one warp diverges, at the last five strides. But the pairs lie 2, 4, 8, ... elements apart, so bank conflicts double from 2-way
//             up to 32-way at stride 16, and then halve. For n = 1,024, this kernel and reduce_interleaved take the same number of wavefronts.
// Source      [+] Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 2
template <class T>
__global__ void reduce_strided(Global<const T> in, Global<T> out, int n) {
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

  // Pair t begins at element 2 * stride * t. Left and right operands keep their order, so the operator does not have to be commutative.
  for (int stride = 1; stride < width; stride *= 2) {
    __syncthreads();
    step(Phase::reduce, stride);
    const int i = 2 * stride * t;
    if (i < width) {
      T left = temp[i];
      T right = temp[i + stride];
      temp[i] = op(left, right);
    }
  }

  // No barrier is needed, because thread 0 loads a value that thread 0 itself stored.
  step(Phase::store);
  if (t == 0) out[0] = temp[0];
}
