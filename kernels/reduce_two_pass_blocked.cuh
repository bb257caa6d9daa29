// Two-pass reduction over ranges
// Idea        Each thread adds up its own range of neighbouring elements. In each block, thread 0 adds
//             up the sums of the block's threads. A second launch adds up the sums of the blocks.
// Gives       reduction
// Elements    any
// Blocks      any
// Names       each = ceil_div(n, grid * block), blocks = ceil_div(n, each * block),
//             threads = min(block, max(32, tree_width(blocks))), each_sum = ceil_div(blocks, threads)
// Buffers     sums: blocks
// Shared      temp: block
// Launches    reduce_two_pass_blocked<<<blocks, block>>>(in, sums, n, each);
//             reduce_two_pass_blocked<<<1, threads>>>(sums, out, blocks, each_sum)
// Variants    none
// Steps       (each > 1) + (each_sum > 1) + 2
// Operations  n - ceil_div(n, each) + blocks * block - ceil_div(blocks, each_sum) + threads - 1
// Span        each - 1 + block - 1 + each_sum - 1 + threads - 1
// Watch       Neighbouring lanes read elements that are a whole range apart. With ranges of 32 bytes or more, each load of a warp touches 32
//             sectors. At the end, one lane of the block works while all other lanes wait. The elements are added in the order of the array.
// Source      [OF] A classic problem of CUDA: reduction, OneFlow, 2021
template <class T>
__global__ void reduce_two_pass_blocked(Global<const T> in, Global<T> out, int n, int each) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int begin = (blockIdx.x * threads + t) * each;
  const int end = begin + each < n ? begin + each : n;  // `each` is rounded up, so the last ranges may be shorter

  // Each thread adds up its own range. A thread without a range uses the identity.
  step(Phase::fold);
  T sum = identity<T>();
  if (begin < n) sum = in[begin];
  for (int i = begin + 1; i < end; ++i) {
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
