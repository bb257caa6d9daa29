// In-place reduction in global memory
// Idea        Each block copies its chunk and folds it in half, in place in global memory, until one value is left; the blocks' values are reduced
//             in the same way, level after level.
// Gives       reduction
// Elements    2 per thread
// Blocks      any
// Needs       commutative
// Names       tiles = ceil_div(n, 2 * block)
// Buffers     work: n, sums: tiles
// Shared      none
// Launches    reduce_global_in_place<<<1, block>>>(in, work, out, n) if tiles == 1;
//             reduce_global_in_place<<<tiles, block>>>(in, work, sums, n) if tiles > 1;
//             reduce_global_in_place(sums, out, tiles) if tiles > 1
// Variants    none
// Steps       log2(n)
// Operations  n - 1
// Span        log2(n)
// Watch       Every stride goes to global memory and back, about 4 accesses for each element where one load would do. Blocks never touch
//             each other's chunk, so that a block barrier is enough.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism, after Cheng et al., Professional CUDA C Programming
template <class T>
__global__ void reduce_global_in_place(Global<const T> in, Global<T> work, Global<T> out, int n) {
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int chunk = n < 2 * threads ? n : 2 * threads;
  const int begin = blockIdx.x * chunk;
  const int end = begin + chunk < n ? begin + chunk : n;  // the last chunk may be short

  // The input stays as it is: the block works on a copy of its chunk.
  step(Phase::load);
  if (begin + t < end) work[begin + t] = in[begin + t];
  if (begin + t + threads < end) work[begin + t + threads] = in[begin + t + threads];

  // Fold the far half onto the near half.
  for (int stride = tree_width(chunk) / 2; stride > 0; stride /= 2) {
    __syncthreads();
    step(Phase::reduce, stride);
    if (t < stride && begin + t + stride < end) {
      T near = work[begin + t];
      T far = work[begin + t + stride];
      work[begin + t] = op(near, far);
    }
  }

  // No barrier: thread 0 itself wrote it last.
  step(Phase::store);
  if (t == 0) out[blockIdx.x] = work[begin];
}
