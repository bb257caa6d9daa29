// Radix sort, one sweep for each digit
// Idea        One launch reads all keys and counts the digits of all four passes. Then each pass sorts the array by one digit of eight bits: the pass
//             reads each key once and writes each key once. A block scans the pass's counts to find where the keys with each digit begin, and sorts its
//             own tile in shared memory. As in scan_decoupled_lookback, the block looks back to count the keys with each digit in all earlier tiles.
// Gives       sorting
// Ladder      radix_sort: one_sweep
// Mends       A pass reads each key only once, half as many passes are needed, and neighbouring threads store keys at neighbouring places.
// Elements    rows per thread
// Blocks      any
// Threads     at least 256, at most 512
// Types       int32 uint32 float32
// Operators   sum
// Needs       scalar
// Names       tile_size = rows * block, tiles = ceil_div(n, tile_size), copies = n > 4194304 ? 16 : n > 65536 ? 2 : 1,
//             counting_threads = n > 4194304 ? 1024 : n > 65536 ? 512 : block
// Inputs      in: n, values: n words if pairs
// Outputs     out: n, out_values: n words if pairs
// Buffers     other: n, other_values: n words if pairs, bins: 1024 words, sums: tiles x 256 messages of counts
// Shared      histogram(counters: 1024 * copies words);
//             sweep(stage: tile_size, values_of_stage: pairs * tile_size words, counters: 8 * block words, warp_sums: 16 counts, places: 256 words)
// Launches    histogram<<<min(132, tiles), counting_threads>>>(in, bins, copies, n);
//             for pass < 4 { sweep<<<tiles, block>>>(pass % 2 ? other : pass > 0 ? out : in, pass % 2 ? other_values : pass > 0 ? out_values : values, bins, sums,
//             pass % 2 ? out : other, pass % 2 ? out_values : other_values, pass, run, n) }
// Variants    keys alone|pairs, rows 4|15|16|20
// Tuning      keys alone, rows 16, 256 threads to 2^20; keys alone, rows 15, 512 threads; keys pairs, rows 16, 256 threads to 2^20; keys pairs, rows 20, 384 threads
// Steps       4 * (6 + (tiles > 1))
// Operations  8 * 1528 * tiles + 4 * 512 * (tiles - 1)
// Span        max(11, 2 * (tiles - 1))
// Watch       A message says how often one digit occurs in a tile, or in all tiles up to this tile. The message's mark names the kind of count,
//             the pass and the run. So all passes can use the same memory for their messages, and need not clear this memory. A thread requests
//             four messages at a time. To find the keys with the same digit, a warp uses eight ballots for 32 keys: one ballot for each bit.
// Source      [+] after Adinets and Merrill, Onesweep, 2022
template <class T>
__global__ void histogram(Global<const T> in, Global<unsigned> bins, int copies, int n) {
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int all = gridDim.x * threads;  // the threads of all blocks
  const int copy = t % copies;          // this thread's copy of the counters: lanes with different copies never add to the same counter
  const int packs = n / 4;
  Shared<unsigned> counters;

  step(Phase::clear);
  for (int i = t; i < 1024 * copies; i += threads) counters[i] = 0;
  __syncthreads();

  step("count");
  for (int i = blockIdx.x * threads + t; i < packs; i += 4 * all) {
    Pack<T> q[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (i + k * all < packs) q[k] = load_pack(in, i + k * all);
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (i + k * all < packs) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const unsigned bits = order_bits(q[k].at[e]);
#pragma unroll
          for (int pass = 0; pass < 4; ++pass) atomicAdd(&counters[(256 * pass + (bits >> 8 * pass & 255)) * copies + copy], 1u);
        }
      }
    }
  }
  if (blockIdx.x == 0 && t < n % 4) {  // the last keys, which do not fill a pack
    T x = in[4 * packs + t];
    for (int pass = 0; pass < 4; ++pass) atomicAdd(&counters[(256 * pass + (order_bits(x) >> 8 * pass & 255)) * copies + copy], 1u);
  }

  __syncthreads();
  step(Phase::store);
  for (int i = t; i < 1024; i += threads) {
    unsigned sum = 0;
    for (int k = 0; k < copies; ++k) sum += counters[i * copies + (k + t) % copies];
    if (sum > 0) atomicAdd(&bins[i], sum);
  }
}

template <class T>
__launch_bounds__(block_size, 2)
__global__ void sweep(Global<const T> in, Global<const unsigned> values, Global<const unsigned> bins, Global<volatile Message<Count>> sums,
                      Global<T> out, Global<unsigned> out_values, int pass, int run, int n) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int tile = blockIdx.x;
  const int tile_size = rows * threads;
  const int shift = 8 * pass;
  const int mark = 8 * run + 2 * pass;                      // a message with this mark has the count of one tile; a message with mark + 1 has the count of this tile and all earlier tiles
  const int first = tile * tile_size + warp * 32 * rows + lane;  // the lane's first key
  const int left_over = n - tile * tile_size;                    // the number of keys from the start of the tile to the end of the array
  const bool full = left_over >= tile_size;
  const int own = 256 * warp;  // the warp's first counter
  Shared<T> stage;             // the tile's keys in their new order
  Shared<unsigned> values_of_stage(stage, tile_size);
  Shared<unsigned> counters(values_of_stage, pairs ? tile_size : 0);  // one counter for each warp and digit
  Shared<Count> warp_sums(counters, 8 * threads);  // 8 sums for the tile, then 8 sums for all tiles; sum w is the number of keys with digits 32 * w to 32 * w + 31
  Shared<unsigned> places(warp_sums, 16);  // for each digit: a key's place in the output minus its place in the tile

  step(Phase::load);
  T keys[32];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    keys[r] = identity<T>();
    if (full || first + 32 * r < n) keys[r] = in[first + 32 * r];
  }
  const int distance = pairs ? 20 : 60;  // each block prefetches the tile that comes this many tiles later; if a tile is prefetched too early, L2 drops the tile before its block uses it
  if (left_over >= (distance + 1) * tile_size) {
    if (t == 0) prefetch(in, (tile + distance) * tile_size, tile_size);
    if (pairs && t == 32) prefetch(values, (tile + distance) * tile_size, tile_size);
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) counters[own + 32 * k + lane] = 0;
  __syncwarp();

  // Each warp ranks its keys, row by row. A key's rank is the number of earlier keys of the warp with the same digit. In the last tile, lanes beyond
  // the end of the array take the last digit, so their places come after the places of all keys.
  unsigned ranks[32];  // high 16 bits: the digit; low 16 bits: the rank
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    step("rank", r);
    unsigned digit = order_bits(keys[r]) >> shift & 255;
    if (!full && first + 32 * r >= n) digit = 255;
    unsigned peers = 0xffffffff;  // the lanes whose keys have the same digit
#pragma unroll
    for (int bit = 0; bit < 8; ++bit) {
      const bool one = (digit >> bit & 1) != 0;
      const unsigned ones = __ballot_sync(0xffffffff, one);
      peers &= one ? ones : ~ones;
    }
    const unsigned in_lower_lanes = __popc(peers & ((1u << lane) - 1));
    const unsigned in_rows_before = counters[own + digit];
    ranks[r] = digit << 16 | (in_rows_before + in_lower_lanes);
    __syncwarp();
    if (in_lower_lanes == 0) counters[own + digit] = in_rows_before + __popc(peers);
    __syncwarp();
  }

  // Thread t adds up the warps' counts of digit t, and publishes the sum. Then a scan of these sums computes the start of digit t in the tile, and a scan of the
  // counts of all keys computes the start of digit t in the output.
  __syncthreads();
  Count count = identity<Count>();  // the number of keys in this tile with digit t
  Count up_to = identity<Count>();  // the number of keys in this tile whose digit is at least 32 * warp and at most t
  Count all_up_to = identity<Count>();  // the same number for all tiles
  unsigned in_warps_before = 0;
  step(Phase::publish);
  if (t < 256) {
    all_up_to = static_cast<int>(bins[256 * pass + t]);
#pragma unroll
    for (int w = 0; w < block_size / 32; ++w) {
      const unsigned in_warp = counters[256 * w + t];
      counters[256 * w + t] = in_warps_before;
      in_warps_before += in_warp;
    }
    up_to = static_cast<int>(in_warps_before);
    count = up_to;
    if (!full && t == 255) count = static_cast<int>(in_warps_before) - (tile_size - left_over);
    sums[256 * tile + t] = {count, tile == 0 ? mark + 1 : mark};
  }
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
    if (t < 256) {
      Count left = __shfl_up_sync(0xffffffff, up_to, stride);
      Count all_left = __shfl_up_sync(0xffffffff, all_up_to, stride);
      if (lane >= stride) {
        up_to = op(left, up_to);
        all_up_to = op(all_left, all_up_to);
      }
    }
  }
  if (t < 256 && lane == 31) {
    warp_sums[warp] = up_to;
    warp_sums[8 + warp] = all_up_to;
  }
  __syncthreads();
  Count start = identity<Count>();  // where the tile's first key with digit t is placed in the tile
  Count begin = identity<Count>();  // where the first of all keys with digit t is placed in the output
  step(Phase::offset);
  if (t < 256) {
    if (lane < warp) start = warp_sums[lane];
    start = __reduce_add_sync(0xffffffff, start);
    Count left = __shfl_up_sync(0xffffffff, up_to, 1);
    if (lane > 0) start = op(start, left);
    if (lane < warp) begin = warp_sums[8 + lane];
    begin = __reduce_add_sync(0xffffffff, begin);
    Count all_left = __shfl_up_sync(0xffffffff, all_up_to, 1);
    if (lane > 0) begin = op(begin, all_left);
#pragma unroll
    for (int w = 0; w < block_size / 32; ++w) counters[256 * w + t] = counters[256 * w + t] + static_cast<int>(start);
  }

  // Each key goes to its place in the tile.
  __syncthreads();
  step("move");
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    ranks[r] = (ranks[r] & 0xffff) + counters[own + (ranks[r] >> 16)];
    stage[ranks[r]] = keys[r];
  }
  unsigned beside[32];
  if (pairs) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      beside[r] = 0;
      if (full || first + 32 * r < n) beside[r] = values[first + 32 * r];
    }
  }

  // Thread t looks back, and counts the keys with digit t in all tiles before this tile.
  step(Phase::look_back);
  if (t < 256) {
    Count before = identity<Count>();
    if (tile > 0) {
      bool found = false;
      for (int j = tile - 1; !found; j -= 4) {
        Message<Count> m[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) m[k] = sums[256 * max(j - k, 0) + t];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          if (!found) {
            while (m[k].mark != mark && m[k].mark != mark + 1) m[k] = sums[256 * (j - k) + t];
            before = op(m[k].value, before);
            found = m[k].mark == mark + 1;
          }
        }
      }
      sums[256 * tile + t] = {op(before, count), mark + 1};
    }
    places[t] = static_cast<int>(begin) + static_cast<int>(before) - static_cast<int>(start);
  }

  if (pairs) {
#pragma unroll
    for (int r = 0; r < rows; ++r) values_of_stage[ranks[r]] = beside[r];
  }
  __syncthreads();
  step(Phase::store);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int j = r * threads + t;
    if (full || j < left_over) {
      T x = stage[j];
      const int to = places[order_bits(x) >> shift & 255] + j;
      out[to] = x;
      if (pairs) out_values[to] = values_of_stage[j];
    }
  }
}
