// Decoupled look-back scan
// Idea        In one launch, every element is read once and written once. Each block scans a tile and immediately publishes the tile's
//             sum. Then the block looks back over earlier tiles until it finds a published prefix: the sum of all elements up to the end
//             of a tile. The block adds the sums of the tiles in between to this prefix, and publishes the result as its own prefix.
// Gives       inclusive or exclusive scan
// Elements    items per thread
// Blocks      any
// Names       tile_size = items * block, tiles = ceil_div(n, tile_size)
// Buffers     sums: tiles, prefixes: tiles, status: tiles words, tickets: 1 words
// Shared      temp: tile_size, warp_sums: 32, offset: 1, ticket: 1 words
// Launches    scan_decoupled_lookback<<<tiles, block>>>(in, out, sums, prefixes, status, tickets, n)
// Variants    items 1|3|7|15, wait look_back|chained
// Steps       (items > 1) + 10 + (tiles > 1) + 1
// Operations  tiles * (block * (2 * items + 5) + 97) + tiles - 1
// Span        tiles > 1 ? 2 * items + 8 + tiles + (block > 32) : max(items + 9, 2 * items + (block > 32 ? 6 + log2(block / 16 - 3) : 5))
// Watch       Input and output take 2n accesses to global memory (exclusive: 2n - 1), and no scan needs fewer accesses. The number of tiles over which a tile looks back depends on the
//             run. Each of these tiles, except the nearest tile, costs one additional operation. The result is the same in every run, because sums are added from left to right. If `items`
//             is odd, the threads fold their parts of the tile without bank conflicts. With wait=chained, no tile publishes its sum: each tile waits for the prefix of the previous tile.
// Source      Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016
template <class T>
__global__ void scan_decoupled_lookback(Global<const T> in, Global<T> out, Global<volatile T> sums,
                                        Global<volatile T> prefixes, Global<volatile unsigned> status,
                                        Global<unsigned> tickets, int n) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int tile_size = items * threads;
  const int shift = exclusive ? 1 : 0;  // place i of an exclusive scan gets element i - 1, and place 0 gets the identity
  Shared<T> temp;                       // the tile
  Shared<T> warp_sums(temp, tile_size);
  Shared<T> offset(warp_sums, 32);     // the sum of all elements before the tile
  Shared<unsigned> ticket(offset, 1);  // the index of the tile

  // Each block draws a ticket: the index of its tile. Blocks may start in any order, but a block with a lower ticket
  // has already started, so no block waits forever for an earlier tile.
  step(Phase::load);
  if (t == 0) ticket[0] = atomicAdd(&tickets[0], 1u);
  __syncthreads();
  step(Phase::load);
  const int tile = ticket[0];
  const int begin = tile * tile_size;
  for (int k = 0; k < items; ++k) {
    const int i = begin + k * threads + t;
    T x = identity<T>();
    if (i < n && (i > 0 || !exclusive)) x = in[i - shift];
    temp[k * threads + t] = x;
  }

  // Each thread adds up its part of the tile: `items` neighbouring elements.
  __syncthreads();
  step(Phase::fold);
  T sum = temp[t * items];
  for (int k = 1; k < items; ++k) {
    T x = temp[t * items + k];
    sum = op(sum, x);
  }

  // Each warp scans its threads' sums in registers, and the first warp scans the sums of the warps.
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
    T left = __shfl_up_sync(0xffffffff, sum, stride);
    if (lane >= stride) sum = op(left, sum);
  }
  if (lane == 31) warp_sums[warp] = sum;
  T left_lanes = __shfl_up_sync(0xffffffff, sum, 1);

  __syncthreads();
  step(Phase::load);
  T warp_sum = identity<T>();
  if (t < threads / 32) warp_sum = warp_sums[t];
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
    if (warp == 0) {
      T left = __shfl_up_sync(0xffffffff, warp_sum, stride);
      if (lane >= stride) warp_sum = op(left, warp_sum);
    }
  }
  if (t < threads / 32) warp_sums[t] = warp_sum;

  // Publish the tile's sum: first store the sum, then the status word. The sum of the first tile is already a prefix. Without `look_back`, tiles publish only prefixes.
  step(Phase::publish);
  const unsigned sum_known = 1, prefix_known = 2;
  if (t == 31) {
    if (tile == 0) {
      prefixes[tile] = warp_sum;
      __threadfence();
      status[tile] = prefix_known;
    } else if (look_back) {
      sums[tile] = warp_sum;
      __threadfence();
      status[tile] = sum_known;
    }
  }

  step(Phase::look_back);
  if (warp == 0 && tile > 0) {
    // Find the nearest tile with a prefix. In each iteration, the lanes read the status of 32 tiles. The next iteration reads the 32 tiles before these tiles.
    int nearest = -1;
    for (int end = tile; nearest < 0; end -= 32) {
      const int other = end - 32 + lane;
      unsigned with_prefix = 0, with_nothing = 1;  // one bit for each tile: later tiles have higher bits
      while (with_nothing > with_prefix) {
        unsigned s = sum_known;
        if (other >= 0 && (look_back || lane == 31)) s = status[other];
        with_prefix = __ballot_sync(0xffffffff, s == prefix_known);
        with_nothing = __ballot_sync(0xffffffff, s == 0);
        if (with_nothing > with_prefix) __nanosleep(20);
      }
      if (with_prefix != 0) nearest = end - 1 - __clz(with_prefix);
    }
    __threadfence();  // read the values after the status words
    __syncwarp();     // now the other lanes have read their status words, too

    // Start with the prefix of tile `nearest`, and add the sums of the tiles between `nearest` and this tile, from left to right.
    T prefix = prefixes[nearest];
    for (int next = nearest + 1; next < tile; next += 32) {
      T tile_sum = identity<T>();
      if (next + lane < tile) tile_sum = sums[next + lane];
      for (int k = 0; k < 32 && next + k < tile; ++k) {
        T right = __shfl_sync(0xffffffff, tile_sum, k);
        if (lane == 31) prefix = op(prefix, right);
      }
    }

    // Publish the prefix for the tiles after this tile.
    if (lane == 31) {
      offset[0] = prefix;
      prefixes[tile] = op(prefix, warp_sum);
      __threadfence();
      status[tile] = prefix_known;
    }
  }

  // Each thread scans its part. The scan starts with the sum of all earlier elements: the earlier tiles, the earlier warps and the earlier lanes.
  __syncthreads();
  step(Phase::offset);
  sum = identity<T>();
  if (tile > 0) sum = offset[0];
  if (warp > 0) {
    T left_warps = warp_sums[warp - 1];
    sum = op(sum, left_warps);
  }
  if (lane > 0) sum = op(sum, left_lanes);
  for (int k = 0; k < items; ++k) {
    T x = temp[t * items + k];
    sum = op(sum, x);
    temp[t * items + k] = sum;
  }

  __syncthreads();
  step(Phase::store);
  for (int k = 0; k < items; ++k) {
    const int i = begin + k * threads + t;
    if (i < n) out[i] = temp[k * threads + t];
  }
}
