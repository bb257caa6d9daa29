// In-place reduction in global memory
// Idea        Each block folds its chunk of the array in half, again and again, until one value is left. The block works in place in global memory, without a copy and
//             without shared memory. If the variant fold is larger than 1, each thread first combines that many elements into one. Further launches reduce the blocks' values in the same way.
// Gives       reduction
// Elements    fold per thread
// Blocks      any
// Threads     power of two
// Needs       commutative
// Names       tile = fold * block, tiles = ceil_div(n, tile), levels = max(1, ceil_div(log2(n), log2(tile))),
//             last = n >> (levels - 1) * log2(tile)
// Buffers     sums: tiles
// Shared      none
// Launches    reduce_global_in_place<<<1, block>>>(in, out, n) if tiles == 1;
//             reduce_global_in_place<<<tiles, block>>>(in, sums, n) if tiles > 1;
//             reduce_global_in_place(sums, out, tiles) if tiles > 1
// Variants    fold 1|2|4|8, last_warp barriers|unrolled|complete
// Steps       (levels - 1) * ((fold > 1) + log2(block)) + (last > block) + log2(min(last, block))
// Operations  n - 1
// Span        (levels - 1) * (fold - 1 + log2(block)) + max(0, last / block - 1) + log2(min(last, block))
// Watch       Every stride reads and writes global memory. Blocks never touch each other's chunk, so a block barrier is enough. The input is overwritten. Compare
//             fold=1 with fold=4. With fold=4, each thread first adds four elements. With last_warp=complete, the compiler knows all strides.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism, after Cheng et al., Professional CUDA C Programming
template <class T>
__global__ void reduce_global_in_place(Global<T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int first = blockIdx.x * fold * threads;              // the block's first element
  const int end = first + threads < n ? first + threads : n;  // the loops over strides add up elements `first` to `end` - 1

  // If fold > 1, all loads come before the first addition. `fold` is a constant, so the compiler unrolls both loops.
  if (fold > 1) {
    step(Phase::fold);
    T x[8];
    for (int k = 0; k < fold; ++k) {
      x[k] = identity<T>();
      if (first + t + k * threads < n) x[k] = in[first + t + k * threads];
    }
    T sum = x[0];
    for (int k = 1; k < fold; ++k) {
      if (first + t + k * threads < n) sum = op(sum, x[k]);
    }
    if (first + t < n) in[first + t] = sum;
    __syncthreads();
  }

  // Add the upper half of the chunk to the lower half, element by element. Without `barriers`, this loop ends before stride 32. With `complete`, all strides are constants.
  const int alone = barriers ? 0 : 32;
  for (int stride = (complete ? block_size : threads) / 2; stride > alone; stride /= 2) {
    step(Phase::reduce, stride);
    if (t < stride && first + t + stride < end) {
      T near = in[first + t];
      T far = in[first + t + stride];
      in[first + t] = op(near, far);
    }
    __syncthreads();
  }

  // Only one warp still works. The strides are constants. No block barrier is needed, because the lanes wait for each other.
  if (!barriers) {
    for (int stride = block_size < 64 ? block_size / 2 : 32; stride > 0; stride /= 2) {
      step(Phase::reduce, stride);
      if (t < 32) {
        if (t < stride && first + t + stride < end) {
          T near = in[first + t];
          T far = in[first + t + stride];
          in[first + t] = op(near, far);
        }
        __syncwarp();
      }
    }
  }

  step(Phase::store);
  if (t == 0) out[blockIdx.x] = in[first];
}
