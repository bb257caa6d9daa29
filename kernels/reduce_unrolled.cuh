// Unrolled reduction
// Idea        Before the tree begins, each thread folds 2, 4 or 8 elements, which are blockDim.x apart. So the kernel needs
//             fewer blocks and fewer barriers, and the loads do not wait for each other. With fold=1, nothing is unrolled.
// Gives       reduction
// Elements    fold per thread
// Blocks      any
// Threads     power of two
// Needs       commutative
// Names       tile = fold * block, tiles = ceil_div(n, tile), levels = max(1, ceil_div(log2(n), log2(tile))),
//             last = n >> (levels - 1) * log2(tile)
// Buffers     sums: tiles
// Shared      temp: block
// Launches    reduce_unrolled<<<1, block>>>(in, out, n) if tiles == 1;
//             reduce_unrolled<<<tiles, block>>>(in, sums, n) if tiles > 1;
//             reduce_unrolled(sums, out, tiles) if tiles > 1
// Variants    fold 2|1|4|8
// Steps       (levels - 1) * ((fold > 1) + log2(block)) + (last > block) + log2(tree_width(min(last, block)))
// Operations  max(n, 2) - 1
// Span        (levels - 1) * (fold - 1 + log2(block)) + max(0, last / block - 1) + log2(tree_width(min(last, block)))
// Watch       If each thread has several loads in flight, fewer threads are enough to keep the memory busy. If one
//             condition guards all loads of a thread, the thread may also skip elements that exist. So each load needs its own condition, which checks the index of this load.
// Source      [CSDN] CUDA C (6), after Cheng et al., Professional CUDA C Programming; Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 4 (fold 2)
template <class T>
__global__ void reduce_unrolled(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int width = tree_width(n < threads ? n : threads);  // the number of leaves of the tree
  const int first = blockIdx.x * fold * threads + t;        // the index of this thread's first element; successive elements are `threads` apart

  // All loads come before the first addition. `fold` is a constant, so the compiler unrolls both loops and keeps x in registers.
  step(Phase::load);
  T x[8];
  for (int k = 0; k < fold; ++k) {
    x[k] = identity<T>();
    if (first + k * threads < n) x[k] = in[first + k * threads];
  }

  step(Phase::fold);
  T sum = x[0];
  for (int k = 1; k < fold; ++k) {
    if (first + k * threads < n) sum = op(sum, x[k]);
  }
  temp[t] = sum;

  for (int stride = width / 2; stride > 0; stride /= 2) {
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
  if (t == 0) out[blockIdx.x] = temp[0];
}
