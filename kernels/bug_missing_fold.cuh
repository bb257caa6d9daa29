// A tail that is not folded
// Idea        Each thread should fold eight elements, which are blockDim.x apart. If all eight elements exist, the thread folds them. Otherwise, the thread reads only the first element.
// Gives       reduction
// Elements    8 per thread
// Blocks      any
// Threads     power of two
// Needs       commutative
// Names       tiles = ceil_div(n, 8 * block)
// Buffers     sums: tiles
// Shared      bug_missing_fold(temp: block); add_sums(none)
// Launches    bug_missing_fold<<<tiles, block>>>(in, sums, n); add_sums<<<1, 32>>>(sums, out, tiles)
// Variants    none
// Steps       7 + log2(block) + tiles - 1
// Operations  n - 1
// Broken      wrong result at "temp[t] = sum;"
// Right       reduce_unrolled, fold 8
// Watch       The result is right for every n that is a multiple of 8 * blockDim.x. Tests rarely try another n. Before each load, the kernel must check that the element exists.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism, after Cheng et al., Professional CUDA C Programming
template <class T>
__global__ void bug_missing_fold(Global<const T> in, Global<T> sums, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int first = blockIdx.x * 8 * threads + t;  // the index of this thread's first element; successive elements are `threads` apart

  step(Phase::fold);
  T sum = identity<T>();
  if (first < n) sum = in[first];
  if (first + 7 * threads < n) {
    for (int k = 1; k < 8; ++k) {
      T x = in[first + k * threads];
      sum = op(sum, x);
    }
  }
  temp[t] = sum;

  for (int stride = threads / 2; stride > 0; stride /= 2) {
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
  if (t == 0) sums[blockIdx.x] = temp[0];
}

template <class T>
__global__ void add_sums(Global<const T> sums, Global<T> out, int tiles) {
  step(Phase::fold);
  if (threadIdx.x == 0) {
    T sum = sums[0];
    for (int i = 1; i < tiles; ++i) {
      T x = sums[i];
      sum = op(sum, x);
    }
    out[0] = sum;
  }
}
