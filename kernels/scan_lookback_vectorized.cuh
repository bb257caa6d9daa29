// Vectorized look-back scan
// Idea        The look-back scan with nothing left to wait for but memory. A tile stays in registers, in rows of whole lines, and many loads are under
//             way at once. A sum and the mark that says it is there are one message: no fence, no second trip. What comes before a tile is one head
//             and the sums of at most two groups of tiles, all asked for at once; a group's last tile sends the head of the group after it.
// Gives       inclusive or exclusive scan
// Elements    16 * rows / element_size per thread
// Blocks      any
// Names       fours = 4 * rows / element_size, tile_size = 4 * fours * block, tiles = ceil_div(n, tile_size), group = min(lookers, block), groups = ceil_div(tiles, group), warps = group / 32
// Buffers     sums: tiles messages, heads: groups + 1 messages
// Shared      warp_sums: 32, parts: 32
// Launches    scan_lookback_vectorized<<<tiles, block>>>(in, out, sums, heads, run, n)
// Variants    rows 2|4|8|24|52, lookers 32|512
// Suits       rows 4, 512 threads to 2^18; rows 8, 512 threads to 2^20; rows 8, lookers 512, 512 threads to 2^22; rows 24, 256 threads to 2^24; rows 52, 256 threads
// Steps       1 + 5 + 2 + 5 + (tiles > 1) + (block > 32) + 1
// Operations  tiles * (block * ((18 - exclusive) * fours + 1) + 97) + (tiles - 1) * (group + 31 * warps + 1 + block / 32 * (warps - 1)) + tiles / group
// Watch       A row is 128 elements that follow each other, a warp's access to it 512 bytes without a gap. The more rows, the more of the memory's
//             time is used: what registers hold is under way. No tile waits for its neighbour: the sums it needs were sent before their tiles were
//             scanned to the end, and one head in two groups follows from another. Sums are always added in the same order, whoever comes first:
//             floats give the same on every run. Messages of earlier runs need no clearing: each run has a mark of its own. A tile is its block's
//             index; that blocks start in this order is what every GPU does and nobody promises.
// Source      [+] after Merrill and Garland, 2016
template <class T>
__launch_bounds__(block_size, 65536 / (rows > 8 ? 4 * rows + 32 : 64) / (block_size > 64 ? block_size : 64))
__global__ void scan_lookback_vectorized(Global<const T> in, Global<T> out, Global<volatile Message<T>> sums,
                                         Global<volatile Message<T>> heads, int run, int n) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int tile = blockIdx.x;
  const int fours = 4 * rows / element_size;  // of a lane: as many rows of 16 bytes
  const int tile_size = 4 * fours * threads;
  const int size = min(lookers, threads);  // tiles of a group
  const int group = tile / size;
  Shared<T> warp_sums;
  Shared<T> parts(warp_sums, 32);  // of what comes before the tile

  // A warp loads its rows, each lane four elements of each; the identity stands in beyond the end.
  step(Phase::load);
  const int first = tile * (tile_size / 4) + warp * 32 * fours + lane;  // in fours
  const bool full = n - tile * tile_size >= tile_size;
  Four<T> q[104];
  if (full) {
#pragma unroll
    for (int r = 0; r < fours; ++r) q[r] = load_four(in, first + r * 32);
  } else {
#pragma unroll
    for (int r = 0; r < fours; ++r) {
      const int i = 4 * (first + r * 32);
      q[r] = {identity<T>(), identity<T>(), identity<T>(), identity<T>()};
      if (i < n) q[r].x = in[i];
      if (i + 1 < n) q[r].y = in[i + 1];
      if (i + 2 < n) q[r].z = in[i + 2];
      if (i + 3 < n) q[r].w = in[i + 3];
    }
  }

  // Each row is scanned in registers, all rows at the same time: a lane's four, then the lanes' last ones.
  step(Phase::fold);
#pragma unroll
  for (int r = 0; r < fours; ++r) {
    q[r].y = op(q[r].x, q[r].y);
    q[r].z = op(q[r].y, q[r].z);
    q[r].w = op(q[r].z, q[r].w);
  }
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
#pragma unroll
    for (int r = 0; r < fours; ++r) {
      T left = __shfl_up_sync(0xffffffff, q[r].w, stride);
      if (lane >= stride) q[r].w = op(left, q[r].w);
    }
  }
  step(Phase::fold);
  T sum = identity<T>();  // of the warp, in its last lane
#pragma unroll
  for (int r = 0; r < fours; ++r) sum = op(sum, q[r].w);
  if (lane == 31) warp_sums[warp] = sum;

  // The first warp scans the sums of the warps, and publishes the tile's.
  __syncthreads();
  step(Phase::load);
  T warp_sum = identity<T>();
  if (t < threads / 32) warp_sum = warp_sums[t];
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, 32 * stride);
    if (warp == 0) {
      T left = __shfl_up_sync(0xffffffff, warp_sum, stride);
      if (lane >= stride) warp_sum = op(left, warp_sum);
    }
  }
  if (t < threads / 32) warp_sums[t] = warp_sum;
  step(Phase::publish);
  if (t == 31) sums[tile] = {warp_sum, run};

  // While that goes out: what comes before a lane's four in the warp is added to them.
  step(Phase::fold);
  sum = identity<T>();  // of the rows so far
#pragma unroll
  for (int r = 0; r < fours; ++r) {
    T row = __shfl_sync(0xffffffff, q[r].w, 31);
    T left = __shfl_up_sync(0xffffffff, q[r].w, 1);
    T before = sum;
    if (lane > 0) before = op(sum, left);
    if (exclusive) {
      q[r].w = op(before, q[r].z);
      q[r].z = op(before, q[r].y);
      q[r].y = op(before, q[r].x);
      q[r].x = before;
    } else {
      q[r].x = op(before, q[r].x);
      q[r].y = op(before, q[r].y);
      q[r].z = op(before, q[r].z);
      q[r].w = op(sum, q[r].w);
    }
    sum = op(sum, row);
  }

  // It asks for the tiles of the own group and of the one before, two for each thread that looks back.
  step(Phase::look_back);
  if (tile > 0 && t < size) {
    const int other = max(group - 1, 0) * size + 2 * t;
    Message<T> left = {identity<T>(), run};
    Message<T> right = {identity<T>(), run};
    Message<T> head = {identity<T>(), run};
    if (other < tile) left = sums[other];
    if (other + 1 < tile) right = sums[other + 1];
    if (t == 0 && group > 1) head = heads[group - 1];
    while (left.mark != run) left = sums[other];
    while (right.mark != run) right = sums[other + 1];
    while (head.mark != run) head = heads[group - 1];
    T part = op(left.value, right.value);
    for (int distance = 1; distance < 32; distance *= 2) {
      T after = __shfl_down_sync(0xffffffff, part, distance);
      if (lane % (2 * distance) == 0) part = op(part, after);
    }
    if (t == 0) part = op(head.value, part);
    if (lane == 0) parts[warp] = part;
  }

  // Each warp adds up the parts.
  __syncthreads();
  step(Phase::offset);
  T start = identity<T>();
  if (tile > 0) {
    if (lane < size / 32) start = parts[lane];
    for (int distance = 1; distance < size / 32; distance *= 2) {
      T after = __shfl_down_sync(0xffffffff, start, distance);
      if (lane % (2 * distance) == 0 && lane + distance < size / 32) start = op(start, after);
    }
    start = __shfl_sync(0xffffffff, start, 0);
  }
  if (t == 0 && tile % size == size - 1) {
    T tile_sum = warp_sums[threads / 32 - 1];
    heads[group + 1] = {op(start, tile_sum), run};
  }
  if (warp > 0) {
    T left_warps = warp_sums[warp - 1];
    start = op(start, left_warps);
  }

  // What comes before the warp is added to all of its elements.
  step(Phase::store);
#pragma unroll
  for (int r = 0; r < fours; ++r) {
    const int i = first + r * 32;
    T x = op(start, q[r].x);
    T y = op(start, q[r].y);
    T z = op(start, q[r].z);
    T w = op(start, q[r].w);
    if (full) {
      store_four(out, i, {x, y, z, w});
    } else {
      if (4 * i < n) out[4 * i] = x;
      if (4 * i + 1 < n) out[4 * i + 1] = y;
      if (4 * i + 2 < n) out[4 * i + 2] = z;
      if (4 * i + 3 < n) out[4 * i + 3] = w;
    }
  }
}
