// Compaction of marked elements
// Idea        A scan of marks gives the place of each marked element. Places have the type Count, whatever the type of the elements.
// Gives       copy
// Elements    any
// Blocks      any
// Threads     power of two, at most 512
// Variants    layouts
// Names       tile = 2 * block, tiles = ceil_div(n, tile)
// Inputs      in: n, marks: n words
// Outputs     out: n, kept: 1 count
// Buffers     flags: n counts, places: n counts, sums: tiles counts
// Shared      flag(none); scan_flags(temp: tile counts); scan_sums(warp_sums: 32 counts); scatter(none)
// Launches    flag<<<tiles, block>>>(marks, flags, n); scan_flags<<<tiles, block>>>(flags, places, sums, n);
//             scan_sums<<<1, block>>>(sums, kept, tiles); scatter<<<tiles, block>>>(in, flags, places, sums, out, n)
// Steps       2 * log2(tile)
// Operations  n
// Watch       The tree of the flags.
// Source      A test of counts.
template <class T>
__global__ void flag(Global<const unsigned> marks, Global<Count> flags, int n) {
  step("flag");
  const int tile = 2 * blockDim.x, first = blockIdx.x * tile;
  for (int i = first + threadIdx.x; i < min(n, first + tile); i += blockDim.x) flags[i] = marks[i] % 2;
}

template <class T>
__global__ void scan_flags(Global<const Count> flags, Global<Count> places, Global<Count> sums, int n) {
  Shared<Count> temp;
  const int t = threadIdx.x, tile = 2 * blockDim.x, first = blockIdx.x * tile;
  step(Phase::load);
  for (int i = t; i < tile; i += blockDim.x) {
    if (first + i < n) temp[pad(i)] = flags[first + i];
    else temp[pad(i)] = identity<Count>();
  }
  for (int stride = 1; stride < tile; stride *= 2) {
    __syncthreads();
    step(Phase::up_sweep, stride);
    if (t < tile / (2 * stride)) {
      const int right = 2 * stride * (t + 1) - 1, left = right - stride;
      const Count x = temp[pad(left)], y = temp[pad(right)];
      temp[pad(right)] = op(x, y);
    }
  }
  __syncthreads();
  step(Phase::clear);
  if (t == 0) {
    sums[blockIdx.x] = temp[pad(tile - 1)];
    temp[pad(tile - 1)] = identity<Count>();
  }
  for (int stride = tile / 2; stride > 0; stride /= 2) {
    __syncthreads();
    step(Phase::down_sweep, stride);
    if (t < tile / (2 * stride)) {
      const int right = 2 * stride * (t + 1) - 1, left = right - stride;
      const Count x = temp[pad(left)], y = temp[pad(right)];
      temp[pad(left)] = y;
      temp[pad(right)] = op(y, x);
    }
  }
  __syncthreads();
  step(Phase::store);
  for (int i = t; i < tile; i += blockDim.x)
    if (first + i < n) places[first + i] = temp[pad(i)];
}

template <class T>
__global__ void scan_sums(Global<Count> sums, Global<Count> kept, int tiles) {
  Shared<Count> warp_sums;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  Count carry = 0;
  for (int first = 0; first < tiles; first += blockDim.x) {
    step(Phase::scan);
    Count own = 0;
    if (first + t < tiles) own = sums[first + t];
    Count sum = own;
    for (int k = 1; k < 32; k *= 2) {
      const Count neighbour = __shfl_up_sync(~0u, sum, k);
      if (lane >= k) sum = op(neighbour, sum);
    }
    if (lane == 31) warp_sums[warp] = sum;
    __syncthreads();
    Count before = carry;
    for (int w = 0; w < static_cast<int>(blockDim.x) / 32; ++w) {
      const Count of_warp = warp_sums[w];
      if (w < warp) before = op(before, of_warp);
      carry = op(carry, of_warp);
    }
    const Count left = __shfl_up_sync(~0u, sum, 1);
    if (lane > 0) before = op(before, left);
    if (first + t < tiles) sums[first + t] = before;
    __syncthreads();
  }
  if (t == 0) kept[0] = carry;
}

template <class T>
__global__ void scatter(Global<const T> in, Global<const Count> flags, Global<const Count> places, Global<const Count> sums, Global<T> out, int n) {
  step("scatter");
  const int tile = 2 * blockDim.x, first = blockIdx.x * tile;
  for (int i = first + threadIdx.x; i < min(n, first + tile); i += blockDim.x) {
    const Count is_kept = flags[i];
    if (is_kept) {
      const Count in_tile = places[i], before = sums[blockIdx.x];
      const Count place = op(before, in_tile);
      out[place] = in[i];
    }
  }
}
