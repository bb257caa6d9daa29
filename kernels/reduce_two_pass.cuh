// Two-pass reduction
// Idea        Each thread reads every T-th element (T is the number of threads in the grid), so neighbouring threads read neighbouring
//             elements. In each block, thread 0 adds up the sums of the block's threads. A second launch adds up the sums of the blocks.
// Gives       reduction
// Elements    any
// Blocks      any
// Needs       commutative
// Names       blocks = min(grid, ceil_div(n, block)), threads = min(block, max(32, tree_width(blocks)))
// Buffers     sums: blocks
// Shared      temp: block
// Launches    reduce_two_pass<<<blocks, block>>>(in, sums, n); reduce_two_pass<<<1, threads>>>(sums, out, blocks)
// Variants    none
// Steps       (n > blocks * block) + (blocks > threads) + 2
// Operations  max(n, blocks * block) + max(blocks, threads) - blocks - 1
// Span        max(0, n / (blocks * block) - 1) + block - 1 + max(0, blocks / threads - 1) + threads - 1
// Watch       A warp's load is coalesced: it covers 32 neighbouring elements. The elements are not added in the order of the array. At the end, thread 0 still works alone.
// Source      [OF] A classic problem of CUDA: reduction, OneFlow, 2021
template <class T>
__global__ void reduce_two_pass(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int first = blockIdx.x * threads + t;
  const int all = gridDim.x * threads;  // the number of threads in the grid

  // Each thread adds up its share of the array. A thread without a share uses the identity.
  step(Phase::fold);
  T sum = identity<T>();
  if (first < n) sum = in[first];
  for (int i = first + all; i < n; i += all) {
    T x = in[i];
    sum = op(sum, x);
  }
  temp[t] = sum;

  // Thread 0 adds up the sums of all threads.
  __syncthreads();
  step(Phase::reduce);
  if (t == 0) {
#pragma unroll 1  // not unrolled, so that each iteration reads one sum, as written
    for (int k = 1; k < threads; ++k) {
      T x = temp[k];
      sum = op(sum, x);
    }
  }

  step(Phase::store);
  if (t == 0) out[blockIdx.x] = sum;
}
