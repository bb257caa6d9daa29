// Unrolled warp reduction
// Idea        From stride 32 on, only one warp works. The warp needs no block barrier, because lanes wait
//             only for lanes of the same warp. The strides are constants, so the compiler unrolls the loop.
// Gives       reduction
// Elements    any
// Blocks      any
// Threads     power of two, at least 64
// Needs       commutative
// Names       blocks = min(grid, ceil_div(n, block)), threads = min(block, max(64, tree_width(blocks)))
// Buffers     sums: blocks
// Shared      temp: block
// Launches    reduce_unrolled_warp<<<blocks, block>>>(in, sums, n); reduce_unrolled_warp<<<1, threads>>>(sums, out, blocks)
// Variants    tail syncwarp|volatile_only
// Steps       (n > blocks * block) + (blocks > threads) + log2(block) + log2(threads)
// Operations  max(n, blocks * block) + max(blocks, threads) - blocks - 1 + volatile_only * (blocks + 1) * 129
// Span        max(0, n / (blocks * block) - 1) + log2(block) + max(0, blocks / threads - 1) + log2(threads)
// Broken      shared race at "T far = tail[t + stride]" with volatile_only
// Watch       Warps that have ended need not wait at later barriers. On GPUs before Volta, the lanes of a warp ran in lockstep, so `volatile` was enough
//             without __syncwarp(). Since Volta, a lane may run ahead of the other lanes, so the variant volatile_only has a race in the last strides.
// Source      [CSDN] CUDA C (6), after Cheng et al.; [OF] OneFlow, 2021; Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 5
template <class T>
__global__ void reduce_unrolled_warp(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<volatile T> tail;  // the same memory as temp; because of volatile, no value stays in a register
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

  // While more than one warp works, a block barrier follows each stride.
  for (int stride = threads / 2; stride > 32; stride /= 2) {
    step(Phase::reduce, stride);
    if (t < stride) {
      T far = temp[t + stride];
      sum = op(sum, far);
      temp[t] = sum;
    }
    __syncthreads();
  }

  // Only one warp still works. At each stride, lanes read elements that other lanes wrote at the previous stride, so the lanes wait for each other.
  if (syncwarp) {
    for (int stride = 32; stride > 0; stride /= 2) {
      step(Phase::reduce, stride);
      if (t < 32) {
        if (t < stride) {
          T far = temp[t + stride];
          sum = op(sum, far);
          temp[t] = sum;
        }
        __syncwarp();
      }
    }
  }

  // Unsafe since Volta: a lane may overwrite its element before another lane has read it. All 32 lanes add at every
  // stride, as in the published kernel. Lane 0 has the result.
  if (volatile_only) {
    for (int stride = 32; stride > 0; stride /= 2) {
      step(Phase::reduce, stride);
      if (t < 32) {
        T far = tail[t + stride];
        sum = op(sum, far);
        tail[t] = sum;
      }
    }
  }

  step(Phase::store);
  if (t == 0) out[blockIdx.x] = sum;
}
