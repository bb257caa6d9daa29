// Fully unrolled reduction
// Idea        The block size is known at compile time, so every stride of the tree can be written out. The compiler
//             removes the strides that are too long for the block, and the tree needs no loop, no counter and no shift.
// Gives       reduction
// Elements    any
// Blocks      any
// Threads     power of two
// Needs       commutative
// Names       blocks = min(grid, ceil_div(n, block))
// Buffers     sums: blocks
// Shared      temp: block
// Launches    reduce_fully_unrolled<<<blocks, block>>>(in, sums, n); reduce_fully_unrolled<<<1, block>>>(sums, out, blocks)
// Variants    none
// Steps       (n > blocks * block) + (blocks > block) + 2 * log2(block)
// Operations  max(n, blocks * block) + max(blocks, block) - blocks - 1
// Span        max(0, n / (blocks * block) - 1) + max(0, blocks / block - 1) + 2 * log2(block)
// Watch       The kernel has no instructions that count or compare strides. But the kernel still loads the same number of bytes, so it is hardly faster for a large array. The
//             kernel is compiled again for each block size. Upsweep shows no machine code, because machine code differs from GPU to GPU, and the emulator makes no machine code.
// Source      [CSDN] CUDA C (6), after Cheng et al.; [OF] OneFlow, 2021; Harris, Optimizing Parallel Reduction in CUDA, 2007, kernels 6 and 7 (several elements per thread)
template <class T>
__global__ void reduce_fully_unrolled(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int first = blockIdx.x * block_size + t;
  const int all = gridDim.x * block_size;  // the number of threads in the grid

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

  // block_size is a constant, so the compiler evaluates these conditions.
  if (block_size >= 1024) {
    step(Phase::reduce, 512);
    if (t < 512) {
      T far = temp[t + 512];
      sum = op(sum, far);
      temp[t] = sum;
    }
    __syncthreads();
  }
  if (block_size >= 512) {
    step(Phase::reduce, 256);
    if (t < 256) {
      T far = temp[t + 256];
      sum = op(sum, far);
      temp[t] = sum;
    }
    __syncthreads();
  }
  if (block_size >= 256) {
    step(Phase::reduce, 128);
    if (t < 128) {
      T far = temp[t + 128];
      sum = op(sum, far);
      temp[t] = sum;
    }
    __syncthreads();
  }
  if (block_size >= 128) {
    step(Phase::reduce, 64);
    if (t < 64) {
      T far = temp[t + 64];
      sum = op(sum, far);
      temp[t] = sum;
    }
    __syncthreads();
  }

  // Only one warp still works. Its lanes wait for each other, so no block barrier is needed.
  if (block_size >= 64) {
    step(Phase::reduce, 32);
    if (t < 32) {
      T far = temp[t + 32];
      sum = op(sum, far);
      temp[t] = sum;
      __syncwarp();
    }
  }
  step(Phase::reduce, 16);
  if (t < 32) {
    if (t < 16) {
      T far = temp[t + 16];
      sum = op(sum, far);
      temp[t] = sum;
    }
    __syncwarp();
  }
  step(Phase::reduce, 8);
  if (t < 32) {
    if (t < 8) {
      T far = temp[t + 8];
      sum = op(sum, far);
      temp[t] = sum;
    }
    __syncwarp();
  }
  step(Phase::reduce, 4);
  if (t < 32) {
    if (t < 4) {
      T far = temp[t + 4];
      sum = op(sum, far);
      temp[t] = sum;
    }
    __syncwarp();
  }
  step(Phase::reduce, 2);
  if (t < 32) {
    if (t < 2) {
      T far = temp[t + 2];
      sum = op(sum, far);
      temp[t] = sum;
    }
    __syncwarp();
  }
  step(Phase::reduce, 1);
  if (t == 0) {
    T far = temp[1];
    sum = op(sum, far);
  }

  step(Phase::store);
  if (t == 0) out[blockIdx.x] = sum;
}
