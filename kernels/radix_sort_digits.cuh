// Radix sort, four bits at a time
// Idea        The array is sorted in 8 passes. Each pass sorts all keys by one digit of four bits, beginning with the lowest digit. In each pass, the first launch counts how
//             often each digit occurs in each tile. The second launch scans these counts to find where the keys of each tile and digit go. The third launch moves the keys.
// Gives       sorting
// Ladder      radix_sort: digits
// Mends       The number of passes over the array no longer grows with the number of keys, and each pass sorts by four bits instead of one.
// Elements    8 per thread
// Blocks      any
// Types       int32 uint32 float32
// Operators   sum
// Needs       scalar
// Names       tile = 8 * block, tiles = ceil_div(n, tile), trips = ceil_div(16 * tiles, block)
// Inputs      in: n, values: n words if pairs
// Outputs     out: n, out_values: n words if pairs
// Buffers     other: n, other_values: n words if pairs, counts: 16 x tiles counts
// Shared      count_digits(bins: 16 words); scan_counts(warp_sums: 32 counts); move(bins: block / 2 words)
// Launches    for pass < 8 { count_digits<<<tiles, block>>>(pass % 2 ? other : pass > 0 ? out : in, counts, 4 * pass, n);
//             scan_counts<<<1, block>>>(counts, 16 * tiles);
//             move<<<tiles, block>>>(pass % 2 ? other : pass > 0 ? out : in, pass % 2 ? other_values : pass > 0 ? out_values : values, counts,
//             pass % 2 ? out : other, pass % 2 ? out_values : other_values, 4 * pass, n) }
// Variants    keys alone|pairs
// Steps       88 * trips
// Operations  8 * trips * (353 * block / 32 - 32)
// Span        10 + trips + (block > 32 && (trips > 1 || block == 1024))
// Watch       The counts are stored digit by digit: first the counts of digit 0 in all tiles, then the counts of digit 1, and so on. So one scan finds, for each
//             tile and each digit, where the tile writes its first key with this digit. A warp uses one ballot per bit to find the lanes with the same digit.
//             In each pass, every key is read twice and written once. When a warp stores 32 keys, the keys go to at most 16 ranges of neighbouring cells.
// Source      [+] after Satish, Harris and Garland, Designing Efficient Sorting Algorithms for Manycore GPUs, 2009
template <class T>
__global__ void count_digits(Global<const T> in, Global<Count> counts, int shift, int n) {
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int tile = blockIdx.x;
  const int tiles = gridDim.x;
  Shared<unsigned> bins;

  step(Phase::clear);
  if (t < 16) bins[t] = 0;
  __syncthreads();
  step("count");
  for (int k = 0; k < 8; ++k) {
    const int i = (8 * tile + k) * threads + t;
    if (i < n) {
      T x = in[i];
      atomicAdd(&bins[order_bits(x) >> shift & 15], 1u);
    }
  }
  __syncthreads();
  step(Phase::store);
  if (t < 16) {
    Count count = static_cast<int>(bins[t]);
    counts[t * tiles + tile] = count;
  }
}

// One block replaces all counts by the counts' exclusive scan.
template <class T>
__global__ void scan_counts(Global<Count> counts, int size) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  Shared<Count> warp_sums;

  Count before = identity<Count>();  // the sum of all counts of earlier iterations
  for (int first = 0; first < size; first += threads) {
    step(Phase::load);
    Count sum = identity<Count>();
    if (first + t < size) sum = counts[first + t];
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::scan, stride);
      Count left = __shfl_up_sync(0xffffffff, sum, stride);
      if (lane >= stride) sum = op(left, sum);
    }
    if (lane == 31) warp_sums[warp] = sum;

    // Each warp scans the sums of all warps.
    __syncthreads();
    step(Phase::load);
    Count up_to = identity<Count>();  // the sum of warps 0 to `lane`
    if (lane < threads / 32) up_to = warp_sums[lane];
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::scan, stride);
      Count left = __shfl_up_sync(0xffffffff, up_to, stride);
      if (lane >= stride) up_to = op(left, up_to);
    }

    step(Phase::offset);
    Count start = before;
    Count left_warps = __shfl_sync(0xffffffff, up_to, warp - 1);
    if (warp > 0) start = op(start, left_warps);
    Count left = __shfl_up_sync(0xffffffff, sum, 1);
    if (lane > 0) start = op(start, left);
    if (first + t < size) counts[first + t] = start;
    Count all = __shfl_sync(0xffffffff, up_to, 31);
    before = op(before, all);
    __syncthreads();  // all threads have read warp_sums, so the next iteration may write it
  }
}

// Each warp moves 256 neighbouring keys: 8 rows of 32 keys. The warp goes from row to row and counts the keys with each digit.
template <class T>
__global__ void move(Global<const T> in, Global<const unsigned> values, Global<const Count> counts, Global<T> out, Global<unsigned> out_values,
                     int shift, int n) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int tile = blockIdx.x;
  const int tiles = gridDim.x;
  const int first = 8 * tile * static_cast<int>(blockDim.x) + 256 * warp + lane;  // the lane's first key
  const int own = 16 * warp;                                                    // the first bin of this warp
  Shared<unsigned> bins;  // for each digit: the number of its keys in earlier rows; later, the place of the warp's first key with this digit

  step(Phase::load);
  T keys[8];
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    keys[r] = identity<T>();
    if (first + 32 * r < n) keys[r] = in[first + 32 * r];
  }
  if (lane < 16) bins[own + lane] = 0;
  __syncwarp();

  // A key's rank is the number of earlier keys in the warp with the same digit. These keys are in earlier rows, or in lower lanes of the key's row.
  unsigned ranks[8];
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    step("rank", r);
    const bool is_key = first + 32 * r < n;
    const unsigned digit = order_bits(keys[r]) >> shift & 15;
    unsigned peers = __ballot_sync(0xffffffff, is_key);  // the lanes whose keys have the same digit
#pragma unroll
    for (int bit = 0; bit < 4; ++bit) {
      const bool one = (digit >> bit & 1) != 0;
      const unsigned ones = __ballot_sync(0xffffffff, one);
      peers &= one ? ones : ~ones;
    }
    const unsigned in_lower_lanes = __popc(peers & ((1u << lane) - 1));
    const unsigned in_rows_before = bins[own + digit];
    ranks[r] = in_rows_before + in_lower_lanes;
    __syncwarp();
    if (is_key && in_lower_lanes == 0) bins[own + digit] = in_rows_before + __popc(peers);
    __syncwarp();
  }

  // For each digit, the keys of the first warp begin at the place that the scan found for the tile. The keys of the other warps follow.
  __syncthreads();
  step(Phase::offset);
  if (t < 16) {
    Count start = counts[t * tiles + tile];
    unsigned place = static_cast<int>(start);
    for (int w = 0; w < static_cast<int>(blockDim.x) / 32; ++w) {
      const unsigned in_warp = bins[16 * w + t];
      bins[16 * w + t] = place;
      place += in_warp;
    }
  }
  __syncthreads();
  step(Phase::store);
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const int i = first + 32 * r;
    if (i < n) {
      const int to = bins[own + (order_bits(keys[r]) >> shift & 15)] + ranks[r];
      out[to] = keys[r];
      if (pairs) out_values[to] = values[i];
    }
  }
}
