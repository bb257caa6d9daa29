// Linear recurrence in one pass
// Idea        This look-back scan of maps takes one launch. Each block keeps its tile in registers, and publishes the map of its tile as a message. A group has 32
//             tiles. Each group has a head: the map of all tiles before the group. To find the y before its tile, a block combines the maps of the earlier tiles in its
//             own group, the maps of the previous group, and the head of the previous group. Then the block no longer combines maps, but only applies maps to numbers.
// Gives       recurrence
// Ladder      linear_recurrence: look_back
// Mends       One launch reads every a and b once and writes every y once. The previous method, a scan of maps, reads the input twice.
// Operators   affine
// Types       float32 int32 uint32
// Outputs     out: n numbers
// Elements    4 * rows per thread
// Blocks      any
// Names       tile_size = 4 * rows * block, tiles = ceil_div(n, tile_size), groups = ceil_div(tiles, 32), warps = block / 32
// Buffers     maps: tiles messages, heads: groups + 1 messages
// Shared      warp_maps: 32, before: 1 number
// Launches    linear_recurrence_look_back<<<tiles, block>>>(in, out, maps, heads, run, n)
// Variants    rows 2|6, ahead 0|120
// Tuning      rows 2, 512 threads to 2^21; rows 6, ahead 120, 256 threads
// Steps       1 + 5 + 1 + 5 + (tiles > 1) + (block > 32) + 1
// Operations  tiles * (8 * rows * block + 129 * warps * (rows + 1) - 32) + (tiles - 1) * 64 + tiles / 32
// Span        tiles > 1 ? 2 * rows + 22 + 2 * ((tiles - 1) / 64) + (block > 32) : block > 32 ? 2 * rows + 11 + (warps > 2) * log2(warps) : rows + 12
// Watch       A map turns y into a * y + b. For each element, this kernel computes y, but not the combined map of all elements up to this element. A message holds the
//             numbers a and b of a map, and the number of the run. So blocks ignore messages of earlier runs, and no launch has to clear these messages.
//             Block i takes tile i: the GPUs that we measured start blocks in index order, but CUDA does not promise this order.
// Source      [+] after Merrill and Garland, 2016
template <class T>
__launch_bounds__(block_size, 65536 / (rows > 2 ? 80 : 64) / (block_size > 64 ? block_size : 64))
__global__ void linear_recurrence_look_back(Global<const T> in, Global<Number<T>> out, Global<volatile Message<T>> maps,
                                            Global<volatile Message<T>> heads, int run, int n) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int tile = blockIdx.x;
  const int tile_size = 4 * rows * threads;
  Shared<T> warp_maps;
  Shared<Number<T>> before(warp_maps, 32);  // the y before this tile

  // Each warp loads its rows of 128 maps. Each lane loads four maps of each row, in two packs. Beyond the end of the array, a lane uses the identity.
  step(Phase::load);
  const int first = tile * (tile_size / 4) + warp * 32 * rows + lane;  // the lane's first four maps are 4 * first to 4 * first + 3
  const int left_over = n - tile * tile_size;                           // the number of elements from the start of the tile to the end of the array
  const bool full = left_over >= tile_size;
  T q[6][4];
  if (full) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const Pack<T> low = load_pack(in, 2 * (first + r * 32));
      const Pack<T> high = load_pack(in, 2 * (first + r * 32) + 1);
      q[r][0] = low.at[0];
      q[r][1] = low.at[1];
      q[r][2] = high.at[0];
      q[r][3] = high.at[1];
    }
  } else {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int i = 4 * (first + r * 32) + k;
        q[r][k] = identity<T>();
        if (i < n) q[r][k] = in[i];
      }
    }
  }
  if (ahead > 0 && t == 0 && left_over >= (ahead + 1) * tile_size) prefetch(in, (tile + ahead) * tile_size, tile_size);

  // Combine the four maps of each lane, and scan all rows at the same time. q[r][3] becomes the map from the start of the row to the lane's last element.
  step(Phase::fold);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const T pair = op(q[r][0], q[r][1]);
    q[r][3] = op(op(pair, q[r][2]), q[r][3]);
  }
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      T left = __shfl_up_sync(0xffffffff, q[r][3], stride);
      if (lane >= stride) q[r][3] = op(left, q[r][3]);
    }
  }
  step(Phase::fold);
  T map = q[0][3];  // in the last lane: the map of the whole warp
#pragma unroll
  for (int r = 1; r < rows; ++r) map = op(map, q[r][3]);
  if (lane == 31) warp_maps[warp] = map;

  // Each warp scans the maps of all warps. The first warp publishes the tile's map.
  __syncthreads();
  step(Phase::load);
  T up_to = identity<T>();  // the map of warps 0 to `lane`
  if (lane < threads / 32) up_to = warp_maps[lane];
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
    T left = __shfl_up_sync(0xffffffff, up_to, stride);
    if (lane >= stride) up_to = op(left, up_to);
  }
  step(Phase::publish);
  if (t == 31) maps[tile] = {up_to, run};

  // A group is 32 neighbouring tiles. The first warp reads the maps of all tiles in the previous group, and of the earlier tiles in this tile's group. Each lane reads two maps. Lane 0 also reads a head: the map of all tiles before the previous group.
  step(Phase::look_back);
  if (tile > 0 && warp == 0) {
    const int group = tile / 32;
    const int own = max(group - 1, 0) * 32 + 2 * lane;
    const int l = min(own, tile - 1);
    const int r = min(own + 1, tile - 1);
    Message<T> left = maps[l];
    Message<T> right = maps[r];
    Message<T> head = {identity<T>(), run};
    if (lane == 0 && group > 1) head = heads[group - 1];
    while (left.mark != run || right.mark != run || head.mark != run) {  // read all three messages again
      left = maps[l];
      right = maps[r];
      if (lane == 0 && group > 1) head = heads[group - 1];
    }
    __syncwarp();  // not needed for the result. After this barrier, the compiler knows that the lanes have converged, so shuffles are faster
    if (own >= tile) left.value = identity<T>();
    if (own + 1 >= tile) right.value = identity<T>();
    T part = op(left.value, right.value);
    for (int distance = 1; distance < 32; distance *= 2) {
      T after = __shfl_down_sync(0xffffffff, part, distance);
      if (lane % (2 * distance) == 0) part = op(part, after);
    }
    T tile_map = __shfl_sync(0xffffffff, up_to, 31);
    if (lane == 0) {
      part = op(head.value, part);
      if (tile % 32 == 31) heads[group + 1] = {op(part, tile_map), run};
      before[0] = second(part);  // `part` is the map of all earlier tiles. The last y before this tile is a * y[-1] + b = b, because y[-1] = 0
    }
  }

  // Each warp computes the y before its first row.
  __syncthreads();
  step(Phase::offset);
  T left_warps = __shfl_sync(0xffffffff, up_to, warp - 1);
  Number<T> y = identity<Number<T>>();
  if (tile > 0) y = before[0];
  if (warp > 0) y = apply(left_warps, y);

  // In each row, each lane computes its last y from the y before the row. Then the lane computes its three other y from the last y of the previous lane. Lane 0 starts with the y before the row instead.
  step(Phase::store);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    Pack<Number<T>> result;
    result.at[3] = apply(q[r][3], y);
    Number<T> x = __shfl_up_sync(0xffffffff, result.at[3], 1);
    if (lane == 0) x = y;
    y = __shfl_sync(0xffffffff, result.at[3], 31);
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      x = apply(q[r][k], x);
      result.at[k] = x;
    }
    if (full) {
      stream_pack(out, first + r * 32, result);
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int i = 4 * (first + r * 32) + k;
        if (i < n) out[i] = result.at[k];
      }
    }
  }
}
