// Shuffle reduction
// Idea        The lanes of a warp add values from each other's registers, without memory and without barriers. Then shared memory
//             carries one value from each warp to the first warp. For sums of integers, one instruction can add up a whole warp.
// Gives       reduction
// Elements    any
// Blocks      any
// Needs       commutative
// Names       blocks = min(grid, ceil_div(n, block)), threads = min(block, max(32, tree_width(blocks)))
// Buffers     sums: blocks
// Shared      warp_sums: 32
// Launches    reduce_shuffle<<<blocks, block>>>(in, sums, n); reduce_shuffle<<<1, threads>>>(sums, out, blocks)
// Variants    within_warp shuffles|redux(int32 uint32 sum)
// Steps       (n > blocks * block) + (blocks > threads) + (shuffles ? 20 : 4)
// Operations  max(0, n - blocks * block) + max(0, blocks - threads) + (shuffles ? 5 * (blocks * (block + 32) + threads + 32) : 31 * (blocks * (block / 32 + 1) + threads / 32 + 1))
// Span        max(0, n / (blocks * block) - 1) + max(0, blocks / threads - 1) + 20
// Watch       With xor shuffles, all lanes get the sum. So a warp makes 32 operations at each stride, while a tree makes 16, 8, 4, 2 and 1 operations. Both take the same number of instructions.
// Source      [OF] A classic problem of CUDA: reduction, OneFlow, 2021
template <class T>
__global__ void reduce_shuffle(Global<const T> in, Global<T> out, int n) {
  Shared<T> warp_sums;
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

  // Each warp adds up its lanes' sums: with one instruction (redux), or with shuffles over distances of 16, 8, 4, 2 and 1 lanes.
  if (redux) {
    step(Phase::reduce);
    sum = __reduce_add_sync(0xffffffff, sum);
  } else {
    for (int distance = 16; distance > 0; distance /= 2) {
      step(Phase::reduce, distance);
      T other = __shfl_xor_sync(0xffffffff, sum, distance);
      sum = op(sum, other);
    }
  }
  if (t % 32 == 0) warp_sums[t / 32] = sum;

  // The first warp loads one sum from each warp and adds up these sums in the same way.
  __syncthreads();
  step(Phase::load);
  if (t < 32) {
    sum = identity<T>();
    if (t < threads / 32) sum = warp_sums[t];
  }
  if (redux) {
    step(Phase::reduce);
    if (t < 32) sum = __reduce_add_sync(0xffffffff, sum);
  } else {
    for (int distance = 16; distance > 0; distance /= 2) {
      step(Phase::reduce, distance);
      if (t < 32) {
        T other = __shfl_xor_sync(0xffffffff, sum, distance);
        sum = op(sum, other);
      }
    }
  }

  step(Phase::store);
  if (t == 0) out[blockIdx.x] = sum;
}
