// Linear recurrence by a scan of maps
// Idea        Element j is a map: it turns y[j-1] into y[j] = a[j] * y[j-1] + b[j]. Two maps combine into one map, and combining is associative, so a scan
//             finds all y. The array is cut into one range for each block. The first launch combines the maps of each range into one map. The second launch
//             finds the y at the end of each range. In the third launch, each block starts with the y before its range, and finds all y of the range.
// Gives       recurrence
// Ladder      linear_recurrence: scan
// Mends       The maps are combined in parallel, although every y depends on the previous y.
// Operators   affine
// Outputs     out: n numbers
// Elements    1 per thread
// Blocks      any
// Names       blocks = min(grid, ceil_div(n, block)),
//             trips = ceil_div(n, blocks * block),
//             trips_of_ends = ceil_div(blocks, block),
//             warps = block / 32,
//             solve_operations = 225 * warps + 97,
//             depth = 10 + trips,
//             end_depth = depth + (blocks <= 32 ? 1 + (blocks > 2) * log2(blocks) : trips_of_ends > 1 ? 10 + trips_of_ends + (warps > 1) : 7 + (blocks > 64) * log2(blocks / 32)),
//             second = depth + 10 + trips_of_ends + (warps > 1) * (trips_of_ends > 1 || (blocks > 32 && warps == 32))
// Buffers     maps: blocks, ends: blocks numbers
// Shared      warp_maps: 32
// Launches    combine_ranges<<<blocks, block>>>(in, maps, n);
//             solve_ranges<<<1, block>>>(maps, ends, ends, blocks);
//             solve_ranges<<<blocks, block>>>(in, out, ends, n)
// Variants    none
// Steps       10 * trips + 11 * (trips_of_ends + trips)
// Operations  blocks * trips * (31 * warps + 32 + solve_operations) + trips_of_ends * solve_operations
// Span        max(second, (blocks > 1) * (end_depth + trips + (warps > 1)))
// Watch       Each range has a map, which turns the last y before the range into the last y of the range. So the last values of y of all ranges form a recurrence, too, and the second launch and the
//             third launch run the same kernel. A thread combines the maps of earlier elements until it reaches a known y. Then the thread applies the combined map to this y.
// Source      [W4] week 4, Hwu; Blelloch, Prefix Sums and Their Applications, 1990
template <class T>
__global__ void combine_ranges(Global<const T> in, Global<T> maps, int n) {
  Shared<T> warp_maps;
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int blocks = gridDim.x;
  const int trips = (n - 1) / (blocks * threads) + 1;
  const int begin = blockIdx.x * trips * threads;  // the first element of this block's range

  T range_map = identity<T>();  // in thread 0: the map y -> a * y + b that combines all elements of the earlier iterations
  for (int trip = 0; trip < trips; ++trip) {
    step(Phase::load);
    const int i = begin + trip * threads + t;
    T map = identity<T>();
    if (i < n) map = in[i];

    // Each warp combines neighbouring maps, then neighbouring pairs of maps, and so on, so the maps keep their order. At the end, lane 0 has the combined map of all lanes.
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::reduce, stride);
      T right = __shfl_down_sync(0xffffffff, map, stride);
      if (lane % (2 * stride) == 0) map = op(map, right);
    }
    if (lane == 0) warp_maps[warp] = map;

    // The first warp combines the warps' maps in the same way.
    __syncthreads();
    step(Phase::load);
    T warp_map = identity<T>();
    if (t < threads / 32) warp_map = warp_maps[t];
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::reduce, stride);
      if (warp == 0) {
        T right = __shfl_down_sync(0xffffffff, warp_map, stride);
        if (lane % (2 * stride) == 0) warp_map = op(warp_map, right);
      }
    }
    if (t == 0) range_map = op(range_map, warp_map);
    __syncthreads();  // all threads have read warp_maps, so the next iteration may write it
  }

  step(Phase::store);
  if (t == 0) maps[blockIdx.x] = range_map;
}

// The second launch has one block and computes the y at the end of each range. The third launch computes every y.
template <class T>
__global__ void solve_ranges(Global<const T> in, Global<Number<T>> out, Global<const Number<T>> ends, int n) {
  Shared<T> warp_maps;
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int blocks = gridDim.x;
  const int trips = (n - 1) / (blocks * threads) + 1;
  const int begin = blockIdx.x * trips * threads;

  Number<T> before = identity<Number<T>>();  // the last y before this iteration; y[-1] = 0
  step(Phase::load);
  if (blockIdx.x > 0) before = ends[blockIdx.x - 1];

  for (int trip = 0; trip < trips; ++trip) {
    step(Phase::load);
    const int i = begin + trip * threads + t;
    T map = identity<T>();
    if (i < n) map = in[i];

    // Each warp scans its maps in registers. Then each lane applies its map to the y before the warp's elements. The result is the lane's y.
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::scan, stride);
      T left = __shfl_up_sync(0xffffffff, map, stride);
      if (lane >= stride) map = op(left, map);
    }
    if (lane == 31) warp_maps[warp] = map;

    // The first warp scans the warps' maps.
    __syncthreads();
    step(Phase::load);
    T warp_map = identity<T>();
    if (t < threads / 32) warp_map = warp_maps[t];
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::scan, stride);
      if (warp == 0) {
        T left = __shfl_up_sync(0xffffffff, warp_map, stride);
        if (lane >= stride) warp_map = op(left, warp_map);
      }
    }
    if (warp == 0) warp_maps[lane] = warp_map;

    // `before` is the last y before this iteration. Each thread applies maps to this number, because that is less work than combining maps.
    __syncthreads();
    step(Phase::offset);
    Number<T> y = before;
    if (warp > 0) {
      T left_warps = warp_maps[warp - 1];
      y = apply(left_warps, before);
    }
    y = apply(map, y);
    T all_warps = warp_maps[31];
    before = apply(all_warps, before);

    step(Phase::store);
    if (i < n) out[i] = y;
    __syncthreads();  // all threads have read warp_maps, so the next iteration may write it
  }
}
