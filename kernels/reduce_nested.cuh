// Nested reduction
// Idea        A grid folds its sums in half. Then the grid starts a child grid with half the threads for the next fold. This is a
//             recursion on the GPU, without the host. Either each block starts its own child grid, or one child grid serves all blocks.
// Gives       reduction
// Elements    any
// Blocks      any
// Threads     power of two
// Needs       commutative
// Names       blocks = min(grid, ceil_div(n, block))
// Buffers     work: blocks * block, sums: blocks
// Shared      none
// Launches    reduce_nested<<<blocks, block>>>(in, work, sums, n); reduce_nested<<<1, block>>>(sums, work, out, blocks)
// Variants    children per_block|one_child
// Steps       (n > blocks * block) + (blocks > block) + log2(min(n, block)) * (per_block > 0 ? blocks : 1) + log2(min(blocks, block))
// Operations  n - 1
// Span        max(0, n / (blocks * block) - 1) + log2(min(n, block)) + max(0, blocks / block - 1) + log2(min(blocks, block))
// Watch       A launch takes far more time than a stride. If each block starts its own child grids, blocks * log2(block) child grids follow the first launch. If one child grid serves all blocks
//             at each stride, log2(block) child grids follow. Since CUDA 12, a kernel cannot wait for its child grid. A tail launch runs after the parent grid has ended, and sees everything that the parent grid wrote to global memory.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism, after Cheng et al., Professional CUDA C Programming
template <class T>
__global__ void fold_half(Global<T> work, Global<T> out, int first, int chunk, int n) {
  const int t = threadIdx.x;
  const int stride = blockDim.x;
  const int b = first + blockIdx.x;  // the index of the chunk that this block works on
  const int i = b * chunk + t;

  // Add the upper half of the chunk to the lower half, element by element.
  step(Phase::reduce, stride);
  if (i + stride < n) {
    T near = work[i];
    T far = work[i + stride];
    work[i] = op(near, far);
  }

  // Thread 0 starts the grid for the next stride, or stores the result.
  step(Phase::launch);
  if (t == 0) {
    if (stride == 1) out[b] = work[i];
    else if (per_block) launch_tail(fold_half<T>, 1, stride / 2, work, out, b, chunk, n);
    else if (b == 0) launch_tail(fold_half<T>, gridDim.x, stride / 2, work, out, 0, chunk, n);
  }
}

template <class T>
__global__ void reduce_nested(Global<const T> in, Global<T> work, Global<T> out, int n) {
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int width = tree_width(n < threads ? n : threads);  // the number of leaves of a block's tree
  const int b = blockIdx.x;
  const int first = b * threads + t;
  const int all = gridDim.x * threads;  // the number of threads in the grid

  // Each thread adds up its share of the array.
  step(Phase::fold);
  if (first < n) {
    T sum = in[first];
    for (int i = first + all; i < n; i += all) {
      T x = in[i];
      sum = op(sum, x);
    }
    work[first] = sum;
  }

  // The first stride needs one thread for every two leaves of a block's tree.
  step(Phase::launch);
  if (t == 0) {
    if (per_block) launch_tail(fold_half<T>, 1, width / 2, work, out, b, threads, n);
    else if (b == 0) launch_tail(fold_half<T>, gridDim.x, width / 2, work, out, 0, threads, n);
  }
}
