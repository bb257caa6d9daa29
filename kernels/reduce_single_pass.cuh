// Single-pass reduction
// Idea        Every block stores its sum and then increases a counter. The block that increases
//             the counter last can read all sums, and adds them up. So one launch is enough.
// Gives       reduction
// Elements    any
// Blocks      any
// Threads     power of two
// Needs       commutative
// Names       blocks = min(grid, ceil_div(n, block))
// Buffers     sums: blocks, counter: 1 word
// Shared      temp: block, last: 1 word
// Launches    reduce_single_pass<<<blocks, block>>>(in, out, sums, counter, n)
// Variants    none
// Steps       (n > blocks * block) + (blocks > block) + 2 * log2(block)
// Operations  max(n, blocks * block) + max(blocks, block) - blocks - 1
// Span        max(0, n / (blocks * block) - 1) + max(0, blocks / block - 1) + 2 * log2(block)
// Watch       Blocks end in any order. Without the fence, another block could see the new count before the sum. The
//             counter must be zero before the launch, so the last block resets the counter for the next launch.
// Source      [OF] A classic problem of CUDA: reduction, OneFlow, 2021; CUDA C++ Programming Guide, memory fence functions
template <class T>
__global__ void reduce_single_pass(Global<const T> in, Global<T> out, Global<volatile T> sums,
                                   Global<unsigned> counter, int n) {
  Shared<T> temp;
  Shared<unsigned> last(temp, blockDim.x);  // 1 if this block increased the counter last, else 0
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int blocks = gridDim.x;
  const int first = blockIdx.x * threads + t;
  const int all = blocks * threads;  // the number of threads in the grid

  // Each thread adds up its share of the array. A thread without a share uses the identity.
  step(Phase::fold);
  T sum = identity<T>();
  if (first < n) sum = in[first];
  for (int i = first + all; i < n; i += all) {
    T x = in[i];
    sum = op(sum, x);
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

  // The fences order three actions: store the sum, increase the counter, read other sums. No barrier is needed, because thread 0 itself stored temp[0].
  step(Phase::publish);
  if (t == 0) {
    sums[blockIdx.x] = temp[0];
    __threadfence();
    const int before = atomicAdd(&counter[0], 1u);
    __threadfence();
    last[0] = before == blocks - 1;
  }

  __syncthreads();
  if (last[0] == 1) {
    step(Phase::fold);
    sum = identity<T>();
    if (t < blocks) sum = sums[t];
    for (int i = t + threads; i < blocks; i += threads) {
      T x = sums[i];
      sum = op(sum, x);
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

    // All blocks have increased the counter, so reset it for the next launch.
    step(Phase::store);
    if (t == 0) {
      out[0] = temp[0];
      atomicExch(&counter[0], 0u);
    }
  }
}
