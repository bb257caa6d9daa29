// A return before the barrier
// Idea        Threads without an element return at once. In a program for a CPU, this return would
//             be right. But all threads of the block must reach the barriers after the return.
// Gives       reduction
// Elements    1 per thread
// Blocks      any
// Needs       commutative
// Names       tiles = ceil_div(n, block)
// Buffers     sums: tiles
// Shared      bug_return_before_barrier(temp: block); add_sums(none)
// Launches    bug_return_before_barrier<<<tiles, block>>>(in, sums, n); add_sums<<<1, 32>>>(sums, out, tiles)
// Variants    none
// Steps       log2(block) + tiles - 1
// Operations  n - 1
// Broken      divergent barrier at "__syncthreads();"
// Right       reduce_two_pass_tree
// Watch       According to NVIDIA, a barrier on Volta and later GPUs waits only for threads that have not exited, so the result is right on these GPUs. But CUDA still
//             requires that all threads of a block reach a barrier, or that no thread reaches the barrier. If n is a multiple of the block size, no thread returns early.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism, after Cheng et al., Professional CUDA C Programming
template <class T>
__global__ void bug_return_before_barrier(Global<const T> in, Global<T> sums, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int first = blockIdx.x * threads + t;
  if (first >= n) return;

  step(Phase::load);
  temp[t] = in[first];

  for (int stride = tree_width(threads) / 2; stride > 0; stride /= 2) {
    __syncthreads();
    step(Phase::reduce, stride);
    if (t < stride && t + stride < threads && first + stride < n) {
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
