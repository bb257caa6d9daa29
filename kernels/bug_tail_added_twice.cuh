// The last strides are added twice
// Idea        The last warp has its own loop for the last six strides. But the loop of the whole block
//             comes first, and still runs down to stride 1. So the strides from 32 down to 1 run twice.
// Gives       reduction
// Elements    any
// Blocks      any
// Threads     power of two, at least 64
// Needs       commutative
// Names       blocks = min(grid, ceil_div(n, block)), threads = min(block, max(64, tree_width(blocks)))
// Buffers     sums: blocks
// Shared      temp: block
// Launches    bug_tail_added_twice<<<blocks, block>>>(in, sums, n); bug_tail_added_twice<<<1, threads>>>(sums, out, blocks)
// Variants    none
// Steps       (n > blocks * block) + (blocks > threads) + log2(block) + log2(threads)
// Operations  max(n, blocks * block) + max(blocks, threads) - blocks - 1
// Broken      wrong result at "temp[t] = sum;  // again"
// Right       reduce_unrolled_warp
// Watch       Each sum is already complete when the loop of the last warp adds partial sums to this sum again.
//             A minimum or a maximum is still right: its value does not change if an element is combined twice.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism, after Cheng et al., Professional CUDA C Programming
template <class T>
__global__ void bug_tail_added_twice(Global<const T> in, Global<T> out, int n) {
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
  __syncthreads();

  for (int stride = threads / 2; stride > 0; stride /= 2) {
    step(Phase::reduce, stride);
    if (t < stride) {
      T far = temp[t + stride];
      sum = op(sum, far);
      temp[t] = sum;
    }
    __syncthreads();
  }

  // Only one warp still works. Its lanes wait for each other, so no block barrier is needed.
  for (int stride = 32; stride > 0; stride /= 2) {
    step(Phase::reduce, stride);
    if (t < 32) {
      if (t < stride) {
        T far = temp[t + stride];
        sum = op(sum, far);
        temp[t] = sum;  // again: the loop above has already added at this stride
      }
      __syncwarp();
    }
  }

  step(Phase::store);
  if (t == 0) out[blockIdx.x] = sum;
}
