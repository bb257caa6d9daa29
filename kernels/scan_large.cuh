// Scan of any length
// Idea        Each block scans one tile and stores the tile's sum. Then the sums are scanned in the same way. Finally,
//             each block adds the sum of all earlier tiles to its tile. Any scan that works in one block can scan a tile.
// Gives       inclusive or exclusive scan
// Elements    vectorized ? 8 : 2 per thread
// Blocks      any
// Threads     power of two
// Names       tile = vectorized ? 8 * block : 2 * block,
//             tiles = ceil_div(n, tile),
//             tiles_2 = tiles > 1 ? ceil_div(tiles, tile) : 0,
//             tiles_3 = tiles_2 > 1 ? ceil_div(tiles_2, tile) : 0,
//             tiles_4 = tiles_3 > 1 ? ceil_div(tiles_3, tile) : 0,
//             tiles_5 = tiles_4 > 1 ? ceil_div(tiles_4, tile) : 0,
//             tiles_6 = tiles_5 > 1 ? ceil_div(tiles_5, tile) : 0,
//             levels = 1 + (tiles_2 > 0) + (tiles_3 > 0) + (tiles_4 > 0) + (tiles_5 > 0) + (tiles_6 > 0),
//             exclusive_tree = blelloch || blelloch_unrolled,
//             tree = 2 * (tile - 1) - brent_kung * log2(tile) + (vectorized && !exclusive) * tile / 4,
//             tile_operations = hillis_steele || double_buffer ? tile * log2(tile) - (tile - 1) : tree,
//             tree_steps = vectorized ? 2 * log2(tile / 4) + 2 : 2 * log2(tile) - brent_kung + (exclusive_tree && !exclusive),
//             tile_steps = hillis_steele || double_buffer ? log2(tile) : tree_steps,
//             scanned = n + (tiles > 1) * tiles + (tiles_2 > 1) * tiles_2 + (tiles_3 > 1) * tiles_3 + (tiles_4 > 1) * tiles_4
//                       + (tiles_5 > 1) * tiles_5,
//             offsets_added = max(0, n - tile) + max(0, tiles - tile) + max(0, tiles_2 - tile) + max(0, tiles_3 - tile) + max(0, tiles_4 - tile),
//             top = n >> (levels - 1) * log2(tile),
//             tree_span = brent_kung ? max(log2(tile), 2 * log2(tile) - 2) : max(2 * log2(tile) - 1, exclusive || vectorized ? 0 : 2 * log2(top)),
//             tile_span = hillis_steele || double_buffer ? log2(tile) : tree_span,
//             offset_tree = brent_kung ? max(exclusive * log2(top), 2 * log2(top) - 2) : 2 * log2(top) - 1,
//             offset_span = hillis_steele || double_buffer ? (exclusive || top > 2) * log2(top) : offset_tree
// Buffers     sums: tiles, offsets: tiles
// Shared      scan_tiles(temp: double_buffer ? 2 * tile : vectorized ? tile / 4 : tile); add_offsets(none)
// Launches    scan_tiles<<<tiles, block>>>(in, out, sums, n);
//             scan_large(sums, offsets, tiles) if tiles > 1;
//             add_offsets<<<tiles, block>>>(out, offsets, n) if tiles > 1
// Variants    layouts, load patterns, block_scan blelloch|brent_kung|hillis_steele|double_buffer|blelloch_unrolled|vectorized
// Steps       levels * tile_steps + levels - 1
// Operations  (tiles + tiles_2 + tiles_3 + tiles_4 + tiles_5 + tiles_6) * tile_operations + (exclusive_tree && !exclusive) * scanned + offsets_added
// Span        (levels - 1) * (log2(tile) + vectorized) + max(tile_span, levels > 1 ? offset_span + levels - 1 : 0)
// Watch       Every element after the first tile is read and written twice: once to scan its tile, and once to add the sum of all earlier
//             tiles. This takes about 4n accesses to global memory, although 2n are enough. The last tile is filled up with the identity.
//             The fastest variant in GPU Gems 3 is vectorized with padding: eight elements per thread, and a tree whose loops are unrolled.
// Source      [GEMS] GPU Gems 3, ch. 39, section 39.2.4; [W4] week 4, Hwu
template <class T>
__global__ void scan_tiles(Global<const T> in, Global<T> out, Global<T> sums, int n) {
  Shared<T> temp;
  Shared<volatile T> leaf;  // the same memory as temp; because of volatile, the two leaves of an unrolled node are read one after the other, as written
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int tile = 2 * half;                      // the number of leaves of the tree; a leaf is an element or a group of four elements
  const int begin = blockIdx.x * tile;            // the first leaf of the tile
  const int a = neighbours ? 2 * t : t;           // this thread's leaves
  const int b = neighbours ? 2 * t + 1 : t + half;
  int from = 0, to = tile;  // the indices of the first cell of each buffer; only double_buffer has a second buffer
  T x = identity<T>(), y = identity<T>();
  Four<T> p = {identity<T>(), identity<T>(), identity<T>(), identity<T>()};
  Four<T> q = {identity<T>(), identity<T>(), identity<T>(), identity<T>()};

  // Blelloch's scan is exclusive. The other scans are inclusive. An inclusive scan becomes exclusive if the load is shifted by one element.
  step(Phase::load);
  if (!vectorized) {
    const int shift = exclusive && !blelloch && !blelloch_unrolled ? 1 : 0;
    if (begin + a < n && begin + a >= shift) x = in[begin + a - shift];
    if (begin + b < n) y = in[begin + b - shift];
    temp[pad(a)] = x;
    temp[pad(b)] = y;
  }

  // Each thread scans two groups of four elements in its registers. The sum of each group is a leaf.
  if (vectorized) {
    const int i = 4 * (begin + a), j = 4 * (begin + b);
    if (i + 3 < n) {
      p = load_four(in, begin + a);
    } else {
      if (i < n) p.x = in[i];
      if (i + 1 < n) p.y = in[i + 1];
      if (i + 2 < n) p.z = in[i + 2];
    }
    if (j + 3 < n) {
      q = load_four(in, begin + b);
    } else {
      if (j < n) q.x = in[j];
      if (j + 1 < n) q.y = in[j + 1];
      if (j + 2 < n) q.z = in[j + 2];
    }
    step(Phase::fold);
    p.y = op(p.x, p.y);
    p.z = op(p.y, p.z);
    p.w = op(p.z, p.w);
    temp[pad(a)] = p.w;
    q.y = op(q.x, q.y);
    q.z = op(q.y, q.z);
    q.w = op(q.z, q.w);
    temp[pad(b)] = q.w;
  }

  if (hillis_steele) {
    for (int stride = 1; stride < tile; stride *= 2) {
      __syncthreads();
      step(Phase::scan, stride);
      T left = identity<T>(), far_left = identity<T>();
      if (a >= stride) left = temp[pad(a - stride)];
      if (b >= stride) far_left = temp[pad(b - stride)];

      __syncthreads();
      step(Phase::scan, stride);
      if (a >= stride) {
        x = op(left, x);
        temp[pad(a)] = x;
      }
      if (b >= stride) {
        y = op(far_left, y);
        temp[pad(b)] = y;
      }
    }
  }

  if (double_buffer) {
    for (int stride = 1; stride < tile; stride *= 2) {
      __syncthreads();
      step(Phase::scan, stride);
      if (a >= stride) {
        T left = temp[pad(from + a - stride)];
        x = op(left, x);
      }
      if (b >= stride) {
        T left = temp[pad(from + b - stride)];
        y = op(left, y);
      }
      temp[pad(to + a)] = x;
      temp[pad(to + b)] = y;
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

  // Blelloch's tree with constant strides and indices: block_size is known at compile time, so the compiler unrolls both loops.
  if (blelloch_unrolled || vectorized) {
#pragma unroll
    for (int d = block_size; d > 0; d /= 2) {
      const int stride = block_size / d;
      __syncthreads();
      step(Phase::up_sweep, stride);
      if (t < d) {
        const int ai = pad(stride * (2 * t + 1) - 1);
        const int bi = pad(stride * (2 * t + 2) - 1);
        T left = leaf[ai];
        T right = leaf[bi];
        leaf[bi] = op(left, right);
      }
    }
    step(Phase::clear);
    if (t == 0) {
      sums[blockIdx.x] = leaf[pad(2 * block_size - 1)];
      leaf[pad(2 * block_size - 1)] = identity<T>();
    }
#pragma unroll
    for (int d = 1; d <= block_size; d *= 2) {
      const int stride = block_size / d;
      __syncthreads();
      step(Phase::down_sweep, stride);
      if (t < d) {
        const int ai = pad(stride * (2 * t + 1) - 1);
        const int bi = pad(stride * (2 * t + 2) - 1);
        T sum = leaf[ai];
        leaf[ai] = leaf[bi];
        T prefix = leaf[bi];
        leaf[bi] = op(prefix, sum);
      }
    }
  }

  // Each thread has the prefix sums of two groups. To these prefix sums, the thread adds the sum of the tile's elements before the group. If the scan is exclusive, the prefix sums first move one element to the right.
  if (vectorized) {
    __syncthreads();
    step(Phase::offset);
    T before = temp[pad(a)];
    if (exclusive) p = {before, op(before, p.x), op(before, p.y), op(before, p.z)};
    else p = {op(before, p.x), op(before, p.y), op(before, p.z), op(before, p.w)};
    before = temp[pad(b)];
    if (exclusive) q = {before, op(before, q.x), op(before, q.y), op(before, q.z)};
    else q = {op(before, q.x), op(before, q.y), op(before, q.z), op(before, q.w)};

    step(Phase::store);
    const int i = 4 * (begin + a), j = 4 * (begin + b);
    if (i + 3 < n) {
      store_four(out, begin + a, p);
    } else {
      if (i < n) out[i] = p.x;
      if (i + 1 < n) out[i + 1] = p.y;
      if (i + 2 < n) out[i + 2] = p.z;
    }
    if (j + 3 < n) {
      store_four(out, begin + b, q);
    } else {
      if (j < n) out[j] = q.x;
      if (j + 1 < n) out[j + 1] = q.y;
      if (j + 2 < n) out[j + 2] = q.z;
    }
  }

  if (!vectorized) {
    __syncthreads();
    step(Phase::store);
    const bool add_itself = (blelloch || blelloch_unrolled) && !exclusive;  // turns the exclusive scan into an inclusive scan
    if (begin + a < n) {
      T first = temp[pad(from + a)];
      if (add_itself) first = op(first, x);
      out[begin + a] = first;
    }
    if (begin + b < n) {
      T second = temp[pad(from + b)];
      if (add_itself) second = op(second, y);
      out[begin + b] = second;
    }
    if (!blelloch && !blelloch_unrolled && t == 0) sums[blockIdx.x] = temp[pad(from + tile - 1)];
  }
}

// Adds the sum of all earlier tiles to each element of a tile. The first tile has no earlier tiles.
template <class T>
__global__ void add_offsets(Global<T> out, Global<const T> offsets, int n) {
  const int each = vectorized ? 8 : 2;  // elements per thread
  const int first = blockIdx.x * each * blockDim.x + threadIdx.x;

  step(Phase::offset);
  if (blockIdx.x > 0) {
    T offset = offsets[exclusive ? blockIdx.x : blockIdx.x - 1];
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const int i = first + k * blockDim.x;
      if (i < n) {
        T x = out[i];
        out[i] = op(offset, x);
      }
    }
  }
}
