// Fused compaction
// Idea        The first launch counts the kept elements of each tile. The second launch scans these counts. The third launch reads
//             the elements again, computes their flags again, and writes the kept elements to their places. Flags stay in registers.
// Gives       selection
// Ladder      stream_compaction: fused
// Mends       Flags and places no longer go through global memory, and one instruction counts 32 flags.
// Operators   sum
// Elements    8 per thread
// Blocks      any
// Threads     power of two
// Names       tile = 8 * block, tiles = ceil_div(n, tile), sums_tile = 2 * block, trips = ceil_div(tiles, sums_tile)
// Outputs     out: n, kept: 1 count
// Buffers     sums: tiles counts, offsets: tiles counts
// Shared      count_tiles(warp_sums: 32 counts); scan_counts(temp: sums_tile counts); compact(warp_sums: 32 counts)
// Launches    count_tiles<<<tiles, block>>>(in, sums, n);
//             scan_counts<<<1, block>>>(sums, offsets, kept, tiles);
//             compact<<<tiles, block>>>(in, offsets, out, n)
// Variants    predicate
// Tuning      1024 threads
// Steps       5 + trips * (2 * log2(sums_tile) + 1) + 5 + (block > 32)
// Operations  tiles * (31 + 129 * block / 32 + block - 32) + trips * (2 * sums_tile - 1)
// Span        4 + 2 * log2(sums_tile) + (trips > 1 ? trips : 0) + (tiles >= sums_tile) * (block > 32)
// Watch       Each element is read twice, and each kept element is written once. A ballot gives every lane of a warp the flags of all lanes. Each lane
//             counts how many lanes with a lower number have the flag 1. So the lane knows how many kept elements of the row come before its own element.
// Source      [+] reduce, then scan: Merrill and Grimshaw, Parallel Scan for Stream Architectures, 2009
template <class T>
__global__ void count_tiles(Global<const T> in, Global<Count> sums, int n) {
  Shared<Count> warp_sums;
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int warps = blockDim.x / 32;
  const int first = 8 * (blockIdx.x * blockDim.x + 32 * warp) + lane;  // the lane's element in the first row of its warp

  step("flag");
  int count = 0;
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int i = first + 32 * r;
    bool wanted = false;
    if (i < n) {
      T x = in[i];
      wanted = keep(x);
    }
    count += __popc(__ballot_sync(0xffffffff, wanted));
  }
  if (lane == 0) {
    Count warp_sum = count;
    warp_sums[warp] = warp_sum;
  }

  __syncthreads();
  step(Phase::load);
  Count sum = 0;
  if (t < warps) sum = warp_sums[t];
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::reduce, stride);
    if (warp == 0) {
      Count right = __shfl_down_sync(0xffffffff, sum, stride);
      if (lane % (2 * stride) == 0) sum = op(sum, right);
    }
  }
  step(Phase::publish);
  if (t == 0) sums[blockIdx.x] = sum;
}

// Blelloch's exclusive scan, tile by tile, in one block. The block starts each tile with the sum of all earlier tiles.
template <class T>
__global__ void scan_counts(Global<const Count> from, Global<Count> to, Global<Count> total, int n) {
  Shared<Count> temp;
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int tile = 2 * half;
  Count before = 0;  // in thread 0: the sum of the tiles that are already scanned

  for (int begin = 0; begin < n; begin += tile) {
    step(Phase::load);
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
  if (t == 0) total[0] = before;
}

template <class T>
__global__ void compact(Global<const T> in, Global<const Count> offsets, Global<T> out, int n) {
  Shared<Count> warp_sums;
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int warps = blockDim.x / 32;
  const int first = 8 * (blockIdx.x * blockDim.x + 32 * warp) + lane;
  T x[8];             // the lane's elements
  unsigned flags[8];  // for each row: bit l is 1 if the element of lane l is kept

  step("flag");
  int count = 0;
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int i = first + 32 * r;
    bool wanted = false;
    if (i < n) {
      x[r] = in[i];
      wanted = keep(x[r]);
    }
    flags[r] = __ballot_sync(0xffffffff, wanted);
    count += __popc(flags[r]);
  }
  if (lane == 0) {
    Count warp_sum = count;
    warp_sums[warp] = warp_sum;
  }

  // Each warp scans the counts of all warps.
  __syncthreads();
  step(Phase::load);
  Count before = offsets[blockIdx.x];
  Count up_to = 0;  // the number of kept elements in warps 0 to `lane`
  if (lane < warps) up_to = warp_sums[lane];
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
    Count left = __shfl_up_sync(0xffffffff, up_to, stride);
    if (lane >= stride) up_to = op(left, up_to);
  }
  step(Phase::offset);
  Count left_warps = __shfl_sync(0xffffffff, up_to, warp - 1);
  if (warp > 0) before = op(before, left_warps);

  step("scatter");
  int place = before;  // the place of the row's first kept element in the output
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const unsigned before_lane = flags[r] & ((1u << lane) - 1);
    if (flags[r] >> lane & 1) out[place + __popc(before_lane)] = x[r];
    place += __popc(flags[r]);
  }
}
