// Scan of any length
// Idea        Scan tile after tile, one tile to a block, and write down each tile's sum; scan the sums, in the same way if they are many; then add to
//             every tile what comes before it. The scan of a tile is any of those that work in one block.
// Gives       inclusive or exclusive scan
// Elements    2 per thread
// Blocks      any
// Threads     power of two
// Names       tile = 2 * block,
//             tiles = ceil_div(n, tile),
//             tiles_2 = tiles > 1 ? ceil_div(tiles, tile) : 0,
//             tiles_3 = tiles_2 > 1 ? ceil_div(tiles_2, tile) : 0,
//             tiles_4 = tiles_3 > 1 ? ceil_div(tiles_3, tile) : 0,
//             tiles_5 = tiles_4 > 1 ? ceil_div(tiles_4, tile) : 0,
//             tiles_6 = tiles_5 > 1 ? ceil_div(tiles_5, tile) : 0,
//             levels = 1 + (tiles_2 > 0) + (tiles_3 > 0) + (tiles_4 > 0) + (tiles_5 > 0) + (tiles_6 > 0),
//             tree = brent_kung ? 2 * (tile - 1) - log2(tile) : 2 * (tile - 1),
//             tile_operations = hillis_steele || double_buffer ? tile * log2(tile) - (tile - 1) : tree,
//             tile_steps = hillis_steele || double_buffer ? log2(tile) : 2 * log2(tile) - brent_kung + (blelloch && !exclusive),
//             scanned = n + (tiles > 1) * tiles + (tiles_2 > 1) * tiles_2 + (tiles_3 > 1) * tiles_3 + (tiles_4 > 1) * tiles_4
//                       + (tiles_5 > 1) * tiles_5,
//             offsets_added = max(0, n - tile) + max(0, tiles - tile) + max(0, tiles_2 - tile) + max(0, tiles_3 - tile) + max(0, tiles_4 - tile),
//             top = n >> (levels - 1) * log2(tile),
//             tree_span = brent_kung ? max(log2(tile), 2 * log2(tile) - 2) : max(2 * log2(tile) - 1, exclusive ? 0 : 2 * log2(top)),
//             tile_span = hillis_steele || double_buffer ? log2(tile) : tree_span,
//             offset_tree = brent_kung ? max(exclusive * log2(top), 2 * log2(top) - 2) : 2 * log2(top) - 1,
//             offset_span = hillis_steele || double_buffer ? (exclusive || top > 2) * log2(top) : offset_tree
// Buffers     sums: tiles, offsets: tiles
// Shared      scan_tiles(temp: double_buffer ? 2 * tile : tile); add_offsets(none)
// Launches    scan_tiles<<<tiles, block>>>(in, out, sums, n);
//             scan_large(sums, offsets, tiles) if tiles > 1;
//             add_offsets<<<tiles, block>>>(out, offsets, n) if tiles > 1
// Variants    layouts, block_scan blelloch|brent_kung|hillis_steele|double_buffer
// Steps       levels * tile_steps + levels - 1
// Operations  (tiles + tiles_2 + tiles_3 + tiles_4 + tiles_5 + tiles_6) * tile_operations + (blelloch && !exclusive) * scanned + offsets_added
// Span        (levels - 1) * log2(tile) + max(tile_span, levels > 1 ? offset_span + levels - 1 : 0)
// Watch       Every element is read and written twice, once by its tile's scan and once to add the offset: 4n accesses to global memory where 2n must be.
//             The last tile is filled up with the identity.
// Source      [GEMS] GPU Gems 3, ch. 39, section 39.2.4; [W4] week 4, Hwu
template <class T>
__global__ void scan_tiles(Global<const T> in, Global<T> out, Global<T> sums, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int tile = 2 * half;
  const int a = blockIdx.x * tile + t;  // this thread's elements in global memory
  const int b = a + half;
  int from = 0, to = tile;  // where the two buffers begin, if there are two

  // The scans below are inclusive, and become exclusive if the load shifts by one; only Blelloch's is exclusive.
  step(Phase::load);
  const int shift = exclusive && !blelloch ? 1 : 0;
  T x = identity<T>(), y = identity<T>();
  if (a < n && a >= shift) x = in[a - shift];
  if (b < n) y = in[b - shift];
  temp[pad(t)] = x;
  temp[pad(t + half)] = y;

  if (hillis_steele) {
    for (int stride = 1; stride < tile; stride *= 2) {
      __syncthreads();
      step(Phase::scan, stride);
      T left = identity<T>(), far_left = identity<T>();
      if (t >= stride) left = temp[pad(t - stride)];
      if (t + half >= stride) far_left = temp[pad(t + half - stride)];

      __syncthreads();
      step(Phase::scan, stride);
      if (t >= stride) {
        x = op(left, x);
        temp[pad(t)] = x;
      }
      if (t + half >= stride) {
        y = op(far_left, y);
        temp[pad(t + half)] = y;
      }
    }
  }

  if (double_buffer) {
    for (int stride = 1; stride < tile; stride *= 2) {
      __syncthreads();
      step(Phase::scan, stride);
      if (t >= stride) {
        T left = temp[pad(from + t - stride)];
        x = op(left, x);
      }
      if (t + half >= stride) {
        T left = temp[pad(from + t + half - stride)];
        y = op(left, y);
      }
      temp[pad(to + t)] = x;
      temp[pad(to + t + half)] = y;
      from = tile - from;
      to = tile - to;
    }
  }

  if (brent_kung) {
    for (int stride = 1; stride < tile; stride *= 2) {
      __syncthreads();
      step(Phase::reduce, stride);
      const int index = (t + 1) * stride * 2 - 1;
      if (index < tile) {
        T left = temp[pad(index - stride)];
        T right = temp[pad(index)];
        temp[pad(index)] = op(left, right);
      }
    }
    for (int stride = half / 2; stride > 0; stride /= 2) {
      __syncthreads();
      step(Phase::reverse, stride);
      const int index = (t + 1) * stride * 2 - 1;
      if (index + stride < tile) {
        T left = temp[pad(index)];
        T right = temp[pad(index + stride)];
        temp[pad(index + stride)] = op(left, right);
      }
    }
  }

  if (blelloch) {
    int stride = 1;
    for (int d = half; d > 0; d /= 2) {
      __syncthreads();
      step(Phase::up_sweep, stride);
      if (t < d) {
        const int ai = pad(stride * (2 * t + 1) - 1);
        const int bi = pad(stride * (2 * t + 2) - 1);
        T left = temp[ai];
        T right = temp[bi];
        temp[bi] = op(left, right);
      }
      stride *= 2;
    }
    step(Phase::clear);
    if (t == 0) {
      sums[blockIdx.x] = temp[pad(tile - 1)];
      temp[pad(tile - 1)] = identity<T>();
    }
    for (int d = 1; d < tile; d *= 2) {
      stride /= 2;
      __syncthreads();
      step(Phase::down_sweep, stride);
      if (t < d) {
        const int ai = pad(stride * (2 * t + 1) - 1);
        const int bi = pad(stride * (2 * t + 2) - 1);
        T sum = temp[ai];
        temp[ai] = temp[bi];
        T prefix = temp[bi];
        temp[bi] = op(prefix, sum);
      }
    }
  }

  __syncthreads();
  step(Phase::store);
  const bool add_itself = blelloch && !exclusive;  // which makes an exclusive scan inclusive
  if (a < n) {
    T first = temp[pad(from + t)];
    if (add_itself) first = op(first, x);
    out[a] = first;
  }
  if (b < n) {
    T second = temp[pad(from + t + half)];
    if (add_itself) second = op(second, y);
    out[b] = second;
  }
  if (!blelloch && t == 0) sums[blockIdx.x] = temp[pad(from + tile - 1)];
}

// What comes before a tile is added to each of its elements. Before the first comes nothing.
template <class T>
__global__ void add_offsets(Global<T> out, Global<const T> offsets, int n) {
  const int tile = 2 * blockDim.x;
  const int a = blockIdx.x * tile + threadIdx.x;
  const int b = a + blockDim.x;

  step(Phase::offset);
  if (blockIdx.x > 0) {
    T offset = offsets[exclusive ? blockIdx.x : blockIdx.x - 1];
    if (a < n) {
      T x = out[a];
      out[a] = op(offset, x);
    }
    if (b < n) {
      T y = out[b];
      out[b] = op(offset, y);
    }
  }
}
