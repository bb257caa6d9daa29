// Vectorized look-back scan
// Idea        The look-back scan with nothing left to wait for but memory. A tile stays in registers, in rows of whole lines, and many loads are under
//             way at once. What comes before a tile is one head and at most 63 sums, all read in one turn: tiles form groups of 32, and a group's
//             last tile publishes what comes before the group after it, its head.
// Gives       inclusive or exclusive scan
// Elements    4 * rows per thread
// Blocks      any
// Threads     usually 512
// Names       tile_size = 4 * rows * block, tiles = ceil_div(n, tile_size), groups = ceil_div(tiles, 32)
// Buffers     sums: tiles, heads: groups + 1, known: tiles words, heads_known: groups + 1 words, tickets: 1 words
// Shared      warp_sums: 32, offset: 1, ticket: 1 words
// Launches    scan_lookback_vectorized<<<tiles, block>>>(in, out, sums, heads, known, heads_known, tickets, n)
// Variants    rows 8|4|2|1
// Steps       1 + 5 + 1 + 5 + (tiles > 1) + (block > 32) + 1
// Operations  tiles * (block * (14 * rows + 1) + 97) + 62 * (tiles - 1) + 32 * (tiles - groups) + 32 * max(0, tiles - 64) + tiles / 32
// Watch       A row is 128 elements that follow each other, a warp's access to it 512 bytes without a gap. No tile waits for its neighbour: the sums
//             it needs were published when their tiles had been read, and one head in two groups follows from another. Sums are always added in the
//             same order, whoever comes first: floats give the same on every run.
// Source      [+] after Merrill and Garland, 2016
template <class T>
__global__ void scan_lookback_vectorized(Global<const T> in, Global<T> out, Global<volatile T> sums,
                                         Global<volatile T> heads, Global<volatile unsigned> known,
                                         Global<volatile unsigned> heads_known, Global<unsigned> tickets, int n) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  Shared<T> warp_sums;
  Shared<T> offset(warp_sums, 32);     // what comes before the tile
  Shared<unsigned> ticket(offset, 1);  // which tile it is

  // A block draws its tile: whoever drew a lower number is already running.
  step(Phase::load);
  if (t == 0) ticket[0] = atomicAdd(&tickets[0], 1u);
  __syncthreads();

  // A warp loads its rows, each lane four elements of each; the identity stands in beyond the end.
  step(Phase::load);
  const int tile = ticket[0];
  const int first = (tile * threads + warp * 32) * rows + lane;  // in fours
  Four<T> q[8];
  const bool full = (tile + 1) * 4 * rows * threads <= n;
  if (full) {
    for (int r = 0; r < rows; ++r) q[r] = load_four(in, first + r * 32);
  } else {
    for (int r = 0; r < rows; ++r) {
      const int i = 4 * (first + r * 32);
      q[r] = {identity<T>(), identity<T>(), identity<T>(), identity<T>()};
      if (i < n) q[r].x = in[i];
      if (i + 1 < n) q[r].y = in[i + 1];
      if (i + 2 < n) q[r].z = in[i + 2];
      if (i + 3 < n) q[r].w = in[i + 3];
    }
  }

  // Each row is scanned in registers, all rows at the same time.
  step(Phase::fold);
  T before[8];  // of the warp's elements, those before the lane's
  for (int r = 0; r < rows; ++r) {
    T left = op(q[r].x, q[r].y);
    T right = op(q[r].z, q[r].w);
    before[r] = op(left, right);
  }
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
    for (int r = 0; r < rows; ++r) {
      T left = __shfl_up_sync(0xffffffff, before[r], stride);
      if (lane >= stride) before[r] = op(left, before[r]);
    }
  }
  step(Phase::fold);
  T sum = identity<T>();
  for (int r = 0; r < rows; ++r) {
    T row = __shfl_sync(0xffffffff, before[r], 31);
    T left = __shfl_up_sync(0xffffffff, before[r], 1);
    before[r] = sum;
    if (lane > 0) before[r] = op(sum, left);
    sum = op(sum, row);
  }
  if (lane == 0) warp_sums[warp] = sum;

  // The first warp scans the sums of the warps.
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

  // Publish the tile's sum: first the sum, then the word that says so.
  step(Phase::publish);
  if (t == 31) {
    sums[tile] = warp_sum;
    __threadfence();
    known[tile] = 1;
  }

  step(Phase::look_back);
  if (warp == 0 && tile > 0) {
    const int group = tile / 32;
    const int mine = group * 32 + lane;  // the tile of this lane's that it asks for, of the tile's own group
    unsigned waiting = 1;
    while (waiting != 0) {
      unsigned all_known = 1;
      if (mine < tile) all_known = known[mine];
      if (group > 0) all_known = all_known & known[mine - 32];
      if (group > 1) all_known = all_known & heads_known[group - 1];
      waiting = __ballot_sync(0xffffffff, all_known == 0);
      if (waiting != 0) __nanosleep(20);
    }
    __threadfence();  // the words were read first, now what they stand for

    T own = identity<T>(), last = identity<T>(), prefix = identity<T>();
    if (mine < tile) own = sums[mine];
    if (group > 0) last = sums[mine - 32];
    if (group > 1) prefix = heads[group - 1];
    for (int distance = 1; distance < 32; distance *= 2) {
      T right = __shfl_down_sync(0xffffffff, own, distance);
      T last_right = __shfl_down_sync(0xffffffff, last, distance);
      if (lane % (2 * distance) == 0) {
        own = op(own, right);
        last = op(last, last_right);
      }
    }
    if (group > 1) last = op(prefix, last);
    prefix = last;
    if (tile % 32 > 0) prefix = op(last, own);

    // The first lane knows what comes before the tile; the last of a group publishes the head of the next.
    T tile_sum = __shfl_sync(0xffffffff, warp_sum, 31);
    if (lane == 0) {
      offset[0] = prefix;
      if (tile % 32 == 31) {
        heads[group + 1] = op(prefix, tile_sum);
        __threadfence();
        heads_known[group + 1] = 1;
      }
    }
  }

  // Each lane scans its fours, beginning with what comes before the tile, the warp and the lane.
  __syncthreads();
  step(Phase::offset);
  sum = identity<T>();
  if (tile > 0) sum = offset[0];
  if (warp > 0) {
    T left_warps = warp_sums[warp - 1];
    sum = op(sum, left_warps);
  }
  step(Phase::store);
  for (int r = 0; r < rows; ++r) {
    const int i = first + r * 32;
    T start = op(sum, before[r]);
    T x = op(start, q[r].x);
    T y = op(x, q[r].y);
    T z = op(y, q[r].z);
    T w = op(z, q[r].w);
    if (exclusive) {
      w = z;
      z = y;
      y = x;
      x = start;
    }
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
