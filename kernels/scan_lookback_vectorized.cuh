// Vectorized look-back scan
// Idea        This look-back scan waits for almost nothing except memory. Each block keeps its tile in registers, with many loads in flight at once. A message has a sum and the mark of the run, so
//             one access reads both, and no fence is needed. A group has 32 tiles. Each group has a head: the sum of all tiles before the group. A block reads the sums of the earlier tiles in its own
//             group, the sums of the previous group, and the head of the previous group. The block requests all these messages at the same time. A group's last tile sends the head of the next group.
// Gives       inclusive or exclusive scan
// Elements    min(4, 16 / element_size) * rows per thread
// Blocks      any
// Names       width = min(4, 16 / element_size), tile_size = width * rows * block, tiles = ceil_div(n, tile_size), groups = ceil_div(tiles, 32), warps = block / 32, rounds = log2(2 * warps - 1)
// Buffers     sums: tiles messages, heads: groups + 1 messages
// Shared      warp_sums: 32, before: 1
// Launches    scan_lookback_vectorized<<<tiles, block>>>(in, out, sums, heads, run, n)
// Variants    rows 2|4|8|26, ahead 0|140
// Tuning      rows 2, 256 threads to 2^16; rows 2, 512 threads to 2^18; rows 4, 512 threads to 2^20; rows 8, 512 threads to 2^22; rows 26, ahead 140, 256 threads
// Steps       1 + 5 + 2 + rounds + (tiles > 1) + (block > 32) + 1
// Operations  tiles * (block * ((3 * width + 6 - exclusive) * rows + 1) + warps * (32 * rounds - (1 << rounds) + 1) - 32) + (tiles - 1) * 64 + tiles / 32
// Span        width + 4 + rows + (tiles > 1 ? rounds + 8 + 2 * ((tiles - 1) / 64) + (block > 32) : block > 32 ? 2 + log2(block / 16 - 3) : 2)
// Watch       A row is 512 contiguous bytes (256 for float16), which a warp loads in one request. The more rows, the more
//             loads are in flight. A tile does not wait for the previous tile's scan, because blocks send their sums before
//             they finish their scans. Sums are added in the same order in every run, so floats give the same result each
//             time. Each message contains the number of its run. So blocks ignore messages of earlier runs, and no launch has
//             to clear these messages. Block i takes tile i: the GPUs that we measured start blocks in index order, but CUDA
//             does not promise this order. With ahead=140, each block also prefetches the tile 140 places later into the L2 cache, because the block of that tile starts soon.
// Source      [+] after Merrill and Garland, 2016
template <class T>
__launch_bounds__(block_size, 65536 / (rows > 8 ? 4 * rows + 20 : 64) / (block_size > 64 ? block_size : 64))
__global__ void scan_lookback_vectorized(Global<const T> in, Global<T> out, Global<volatile Message<T>> sums,
                                         Global<volatile Message<T>> heads, int run, int n) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int tile = blockIdx.x;
  const int width = Pack<T>::width;
  const int tile_size = width * rows * threads;
  Shared<T> warp_sums;
  Shared<T> before(warp_sums, 32);  // the sum of all tiles before this tile

  // Each warp loads its rows. Each lane loads one pack of each row, or the identity beyond the end of the array.
  step(Phase::load);
  const int first = tile * (tile_size / width) + warp * 32 * rows + lane;  // the index of the lane's first pack
  const int left_over = n - tile * tile_size;                              // the number of elements from the start of the tile to the end of the array
  const bool full = left_over >= tile_size;
  Pack<T> q[32];
  if (full) {
#pragma unroll
    for (int r = 0; r < rows; ++r) q[r] = load_pack(in, first + r * 32);
  } else {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const int i = width * (first + r * 32) + k;
        q[r].at[k] = identity<T>();
        if (i < n) q[r].at[k] = in[i];
      }
    }
  }

  // Scan all rows at the same time, in registers. First each lane scans its packs. Then the warp scans the sums of the packs.
  step(Phase::fold);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int k = 1; k < width; ++k) q[r].at[k] = op(q[r].at[k - 1], q[r].at[k]);
  }
  const int last = width - 1;
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      T left = __shfl_up_sync(0xffffffff, q[r].at[last], stride);
      if (lane >= stride) q[r].at[last] = op(left, q[r].at[last]);
    }
  }
  step(Phase::fold);
  T sum = identity<T>();  // in lane 31: the sum of the warp
#pragma unroll
  for (int r = 0; r < rows; ++r) sum = op(sum, q[r].at[last]);
  if (lane == 31) warp_sums[warp] = sum;

  // Each warp scans the sums of all warps, because it would be slower to wait for the scan of one warp. The first warp publishes the tile's sum.
  __syncthreads();
  step(Phase::load);
  T up_to = identity<T>();  // the sum of warps 0 to `lane`
  if (lane < threads / 32) up_to = warp_sums[lane];
  for (int stride = 1; stride < block_size / 32; stride *= 2) {
    step(Phase::scan, stride);
    T left = __shfl_up_sync(0xffffffff, up_to, stride);
    if (lane >= stride) up_to = op(left, up_to);
  }
  step(Phase::publish);
  if (t == threads / 32 - 1) sums[tile] = {up_to, run};
  if (ahead > 0 && t == 0 && left_over >= (ahead + 1) * tile_size) prefetch(in, (tile + ahead) * tile_size, tile_size);

  // Each lane adds the sum of the warp's earlier elements to its packs. Meanwhile, the blocks of earlier tiles can publish their sums.
  step(Phase::fold);
  sum = identity<T>();  // the sum of the warp's earlier rows
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    T row = __shfl_sync(0xffffffff, q[r].at[last], 31);
    T left = __shfl_up_sync(0xffffffff, q[r].at[last], 1);
    T start = sum;
    if (lane > 0) start = op(sum, left);
    if (exclusive) {
#pragma unroll
      for (int k = last; k > 0; --k) q[r].at[k] = op(start, q[r].at[k - 1]);
      q[r].at[0] = start;
    } else {
#pragma unroll
      for (int k = 0; k < last; ++k) q[r].at[k] = op(start, q[r].at[k]);
      q[r].at[last] = op(sum, q[r].at[last]);
    }
    sum = op(sum, row);
  }

  // A group is 32 neighbouring tiles. The first warp reads the sums of all tiles in the previous group, and of the earlier tiles in this tile's group. Each lane reads one sum of each group. Lane 0 also reads a head: the sum of all tiles before the previous group.
  step(Phase::look_back);
  if (tile > 0 && warp == 0) {
    const int group = tile / 32;
    const int own = 32 * group + lane;
    // A message has arrived if it has the mark of this run. A message that the lane does not need has this mark from the beginning.
    Message<T> left = {identity<T>(), group > 0 ? 0 : run};
    Message<T> right = {identity<T>(), own < tile ? 0 : run};
    Message<T> head = {identity<T>(), lane == 0 && group > 1 ? 0 : run};
    while (left.mark != run || right.mark != run || head.mark != run) {  // requests all missing messages at the same time
      if (left.mark != run) left = sums[own - 32];
      if (right.mark != run) right = sums[own];
      if (head.mark != run) head = heads[group - 1];
    }
    __syncwarp();  // not needed for the result. After this barrier, the compiler knows that the lanes have converged, so shuffles are faster
    for (int distance = 1; distance < 32; distance *= 2) {
      T after_left = __shfl_down_sync(0xffffffff, left.value, distance);
      T after_right = __shfl_down_sync(0xffffffff, right.value, distance);
      if (lane % (2 * distance) == 0) {
        left.value = op(left.value, after_left);
        right.value = op(right.value, after_right);
      }
    }
    T tile_sum = __shfl_sync(0xffffffff, up_to, threads / 32 - 1);
    if (lane == 0) {
      T part = op(head.value, op(left.value, right.value));
      if (tile % 32 == 31) heads[group + 1] = {op(part, tile_sum), run};
      before[0] = part;
    }
  }

  // Each lane adds the sum of all elements before the warp to each of its elements.
  __syncthreads();
  step(Phase::offset);
  T left_warps = __shfl_sync(0xffffffff, up_to, warp - 1);
  T start = identity<T>();
  if (tile > 0) start = before[0];
  if (warp > 0) start = op(start, left_warps);
  step(Phase::store);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int k = 0; k < width; ++k) q[r].at[k] = op(start, q[r].at[k]);
    if (full) {
      stream_pack(out, first + r * 32, q[r]);
    } else {
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const int i = width * (first + r * 32) + k;
        if (i < n) out[i] = q[r].at[k];
      }
    }
  }
}
