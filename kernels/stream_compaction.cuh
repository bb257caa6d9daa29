// Stream compaction
// Idea        The first launch writes a flag for each element: the flag says if the element is kept. An exclusive scan of the flags counts the kept
//             elements before each element. This count is the element's place in the output. The last launch writes each kept element to its place.
// Gives       selection
// Ladder      stream_compaction: three_launches
// Mends       The number of additions grows with n instead of n log n, and no thread searches for an element.
// Operators   sum
// Elements    2 per thread
// Blocks      any
// Threads     power of two
// Names       tile = 2 * block, tiles = ceil_div(n, tile), trips = ceil_div(tiles, tile)
// Outputs     out: n, kept: 1 count
// Buffers     flags: n counts, places: n counts, sums: tiles counts, offsets: tiles counts
// Shared      flag(none); scan_counts(temp: tile counts); scatter(none)
// Launches    flag<<<ceil_div(n, block), block>>>(in, flags, n);
//             scan_counts<<<tiles, block>>>(flags, places, tiles > 1 ? sums : kept, n);
//             scan_counts<<<1, block>>>(sums, offsets, kept, tiles) if tiles > 1;
//             scatter<<<ceil_div(n, block), block>>>(in, flags, places, offsets, out, n)
// Variants    predicate
// Tuning      1024 threads
// Steps       (1 + (tiles > 1) * trips) * (2 * log2(tile) + 1) + (tiles > 1)
// Operations  (tiles + (tiles > 1) * trips) * (2 * tile - 1) + max(0, n - tile)
// Span        tiles > tile ? 3 * log2(tile) + trips + 1 : tiles > 1 ? max(3 * log2(tile), 1 + log2(tile) + 2 * log2(tiles)) : 2 * log2(tile) - 1
// Watch       The output keeps the order of the input, because each kept element gets a higher place than all kept elements before it.
//             Between the launches, flags and places go through global memory: each flag is written once and read twice, and each place
//             is written once and read once. If there are several tiles, the scan needs a second launch, which scans the tiles' sums.
// Source      [GEMS] GPU Gems 3, ch. 39, section 39.3.1
template <class T>
__global__ void flag(Global<const T> in, Global<Count> flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  step("flag");
  if (i < n) {
    T x = in[i];
    Count one_or_none = keep(x) ? 1 : 0;
    flags[i] = one_or_none;
  }
}

// Blelloch's exclusive scan, tile by tile. A block that scans several tiles starts each tile with the sum of all earlier tiles.
template <class T>
__global__ void scan_counts(Global<const Count> from, Global<Count> to, Global<Count> sums, int n) {
  Shared<Count> temp;
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int tile = 2 * half;
  Count before = 0;  // in thread 0: the sum of the tiles that this block has scanned

  const int trips = gridDim.x > 1 ? 1 : (n - 1) / tile + 1;  // one block scans all tiles; several blocks scan one tile each
  for (int trip = 0; trip < trips; ++trip) {
    step(Phase::load);
    const int begin = (trip + blockIdx.x) * tile;
    const int a = begin + t, b = begin + t + half;
    Count x = 0, y = 0;
    if (a < n) x = from[a];
    if (b < n) y = from[b];
    temp[t] = x;
    temp[t + half] = y;

    int stride = 1;
    for (int d = half; d > 0; d /= 2) {
      __syncthreads();
      step(Phase::up_sweep, stride);
      if (t < d) {
        const int ai = stride * (2 * t + 1) - 1;
        const int bi = stride * (2 * t + 2) - 1;
        Count left = temp[ai];
        Count right = temp[bi];
        temp[bi] = op(left, right);
      }
      stride *= 2;
    }
    step(Phase::clear);
    if (t == 0) {
      Count sum = temp[tile - 1];
      temp[tile - 1] = before;
      before = op(before, sum);
    }
    for (int d = 1; d < tile; d *= 2) {
      stride /= 2;
      __syncthreads();
      step(Phase::down_sweep, stride);
      if (t < d) {
        const int ai = stride * (2 * t + 1) - 1;
        const int bi = stride * (2 * t + 2) - 1;
        Count sum = temp[ai];
        temp[ai] = temp[bi];
        Count prefix = temp[bi];
        temp[bi] = op(prefix, sum);
      }
    }

    __syncthreads();
    step(Phase::store);
    if (a < n) to[a] = temp[t];
    if (b < n) to[b] = temp[t + half];
  }

  step(Phase::publish);
  if (t == 0) sums[blockIdx.x] = before;
}

template <class T>
__global__ void scatter(Global<const T> in, Global<const Count> flags, Global<const Count> places, Global<const Count> offsets,
                        Global<T> out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int tile = blockIdx.x / 2;  // the scan's tile that holds this block's elements
  Count kept = 0, place = 0;

  step(Phase::load);
  if (i < n) {
    kept = flags[i];
    place = places[i];
  }
  step(Phase::offset);
  if (i < n && tile > 0) {
    Count offset = offsets[tile];
    place = op(offset, place);
  }
  step("scatter");
  if (kept == 1) {
    T x = in[i];
    out[place] = x;
  }
}
