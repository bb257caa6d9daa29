// Reduce, then scan
// Idea        The array is cut into one range of neighbouring elements for each block. The first launch adds up each range. The
//             second launch scans the sums. The third launch scans each range, and starts with the sum of all earlier ranges.
// Gives       inclusive or exclusive scan
// Elements    1 per thread
// Blocks      any
// Names       blocks = min(grid, ceil_div(n, block)),
//             trips = ceil_div(n, blocks * block),
//             trips_of_sums = ceil_div(blocks, block),
//             reduce_operations = 31 * (block / 32) + 32,
//             scan_operations = 161 * (block / 32) + 130,
//             sum_depth = 10 + trips,
//             last = blocks - 2 + exclusive,
//             offset_depth = blocks == 1 ? 0 : sum_depth + (blocks <= 32 ? 1 + log2(2 * last + 1) : 6 * trips_of_sums - 1 + (last % block < 32 ? 1 : 2 + log2(last % block / 32)))
// Buffers     sums: blocks, offsets: blocks
// Shared      warp_sums: 32
// Launches    reduce_ranges<<<blocks, block>>>(in, sums, n);
//             scan_ranges<<<1, block>>>(sums, offsets, sums, blocks);
//             scan_ranges<<<blocks, block>>>(in, out, offsets, n)
// Variants    none
// Steps       10 * trips + 12 * (trips_of_sums + trips)
// Operations  blocks * trips * (reduce_operations + scan_operations) + trips_of_sums * scan_operations
// Span        max((blocks > 1 || !exclusive) * sum_depth + 5 + 6 * trips_of_sums, max(offset_depth, 5) + 6 * trips)
// Watch       Every element is read twice and written once: 3n accesses to global memory, while scan_large takes about 4n accesses.
//             Each block passes one sum to the next launch. The number of blocks has a maximum that does not depend on n.
// Source      Merrill and Grimshaw, Parallel Scan for Stream Architectures, 2009
template <class T>
__global__ void reduce_ranges(Global<const T> in, Global<T> sums, int n) {
  Shared<T> warp_sums;
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int blocks = gridDim.x;
  const int shift = exclusive ? 1 : 0;  // place i of an exclusive scan gets element i - 1, and place 0 gets the identity
  const int trips = (n - 1) / (blocks * threads) + 1;
  const int begin = blockIdx.x * trips * threads;  // the first element of this block's range

  T range_sum = identity<T>();  // in thread 0: the sum of all elements of the earlier iterations
  for (int trip = 0; trip < trips; ++trip) {
    step(Phase::load);
    const int i = begin + trip * threads + t;
    T sum = identity<T>();
    if (i < n && (i > 0 || !exclusive)) sum = in[i - shift];

    // Each warp adds neighbouring elements, then neighbouring pairs, and so on, so the elements keep their order. At the end, lane 0 has the warp's sum.
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::reduce, stride);
      T right = __shfl_down_sync(0xffffffff, sum, stride);
      if (lane % (2 * stride) == 0) sum = op(sum, right);
    }
    if (lane == 0) warp_sums[warp] = sum;

    // The first warp adds up the warps' sums in the same way.
    __syncthreads();
    step(Phase::load);
    T warp_sum = identity<T>();
    if (t < threads / 32) warp_sum = warp_sums[t];
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::reduce, stride);
      if (warp == 0) {
        T right = __shfl_down_sync(0xffffffff, warp_sum, stride);
        if (lane % (2 * stride) == 0) warp_sum = op(warp_sum, right);
      }
    }
    if (t == 0) range_sum = op(range_sum, warp_sum);
    __syncthreads();  // all threads have read warp_sums, so the next iteration may write it
  }

  step(Phase::store);
  if (t == 0) sums[blockIdx.x] = range_sum;
}

// The second launch has one block and scans the sums of the ranges. The third launch scans the input.
template <class T>
__global__ void scan_ranges(Global<const T> in, Global<T> out, Global<const T> offsets, int n) {
  Shared<T> warp_sums;
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int blocks = gridDim.x;
  const int shift = exclusive ? 1 : 0;
  const int trips = (n - 1) / (blocks * threads) + 1;
  const int begin = blockIdx.x * trips * threads;

  T before = identity<T>();  // the sum of all elements before this iteration
  step(Phase::load);
  if (blockIdx.x > 0) before = offsets[exclusive ? blockIdx.x : blockIdx.x - 1];

  for (int trip = 0; trip < trips; ++trip) {
    step(Phase::load);
    const int i = begin + trip * threads + t;
    T sum = identity<T>();
    if (i < n && (i > 0 || !exclusive)) sum = in[i - shift];

    // Each warp scans its elements in registers.
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::scan, stride);
      T left = __shfl_up_sync(0xffffffff, sum, stride);
      if (lane >= stride) sum = op(left, sum);
    }
    if (lane == 31) warp_sums[warp] = sum;

    // The first warp scans the warps' sums, starting with the sum of all elements before this iteration.
    __syncthreads();
    step(Phase::load);
    T warp_sum = identity<T>();
    if (t < threads / 32) warp_sum = warp_sums[t];
    if (t == 0) warp_sum = op(before, warp_sum);
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::scan, stride);
      if (warp == 0) {
        T left = __shfl_up_sync(0xffffffff, warp_sum, stride);
        if (lane >= stride) warp_sum = op(left, warp_sum);
      }
    }
    if (warp == 0) warp_sums[lane] = warp_sum;

    // Each thread adds the sum of all elements before the warp to the thread's element.
    __syncthreads();
    step(Phase::offset);
    if (warp > 0) before = warp_sums[warp - 1];
    sum = op(before, sum);
    before = warp_sums[31];

    step(Phase::store);
    if (i < n) out[i] = sum;
    __syncthreads();  // all threads have read warp_sums, so the next iteration may write it
  }
}
