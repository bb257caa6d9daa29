// Look-back compaction
// Idea        This compaction takes one launch. Each block loads a tile into registers, counts the kept elements, and publishes the
//             count as a message. Then the block moves its kept elements to their places within the tile, in shared memory. A
//             look-back, as in scan_lookback_vectorized, finds the count of all earlier tiles, and the block stores the kept elements.
// Gives       selection
// Ladder      stream_compaction: look_back
// Mends       Every element is read only once, and neighbouring threads store to neighbouring places.
// Operators   sum
// Elements    min(4, 16 / element_size) * rows per thread
// Blocks      any
// Names       width = min(4, 16 / element_size), tile_size = width * rows * block, tiles = ceil_div(n, tile_size), groups = ceil_div(tiles, 32)
// Outputs     out: n, kept: 1 count
// Buffers     sums: tiles messages of counts, heads: groups + 1 messages of counts
// Shared      stage: tile_size, warp_sums: 32 counts, before: 1 count
// Launches    stream_compaction_look_back<<<tiles, block>>>(in, out, kept, sums, heads, run, n)
// Variants    predicate, rows 4|16, ahead 0|120
// Tuning      rows 4, 512 threads to 2^20; rows 16, ahead 120, 256 threads
// Steps       5 + (tiles > 1) + 1
// Operations  tiles * 129 * block / 32 + (tiles - 1) * 64 + tiles / 32 + 1
// Span        tiles > 1 ? 13 + 2 * ((tiles - 1) / 64) : 6
// Watch       Each element is read once, and each kept element is written once. Within a warp, one word holds the counts
//             of four rows, so one shuffle serves four rows. Each warp stores neighbouring elements, beginning at the
//             start of a sector. So the requests of a warp fill whole sectors, except at both ends of the tile's output.
// Source      [+] after Merrill and Garland, 2016; CUB's DeviceSelect
template <class T>
__launch_bounds__(block_size, 65536 / (rows > 8 ? 4 * rows + 20 : 64) / (block_size > 64 ? block_size : 64))
__global__ void stream_compaction_look_back(Global<const T> in, Global<T> out, Global<Count> kept, Global<volatile Message<Count>> sums,
                                            Global<volatile Message<Count>> heads, int run, int n) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int tile = blockIdx.x;
  const int width = Pack<T>::width;
  const int tile_size = width * rows * threads;
  Shared<T> stage;
  Shared<Count> warp_sums(stage, tile_size);
  Shared<Count> before(warp_sums, 32);  // the count of all tiles before this tile

  // Each warp loads its rows. Each lane loads one pack of each row.
  step(Phase::load);
  const int first = tile * (tile_size / width) + warp * 32 * rows + lane;  // the lane's first pack
  const int left_over = n - tile * tile_size;                               // the number of elements from the start of the tile to the end of the array
  const bool full = left_over >= tile_size;
  Pack<T> q[16];
  if (full) {
#pragma unroll
    for (int r = 0; r < rows; ++r) q[r] = load_pack(in, first + r * 32);
  } else {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const int i = width * (first + r * 32) + k;
        q[r].at[k] = identity<T>();
        if (i < n) q[r].at[k] = in[i];
      }
    }
  }
  if (ahead > 0 && t == 0 && left_over >= (ahead + 1) * tile_size) prefetch(in, (tile + ahead) * tile_size, tile_size);

  // A lane has up to 4 flags for each row. A word holds the flags of 8 rows.
  step("flag");
  unsigned flags[2];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    if (r % 8 == 0) flags[r / 8] = 0;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const bool there = full || width * (first + r * 32) + k < n;
      if (there && keep(q[r].at[k])) flags[r / 8] |= 1u << (4 * (r % 8) + k);
    }
  }

  // A word holds the counts of 4 rows. 8 bits are enough for a count, because a row has at most 128 elements. Scan all rows at the same time.
  unsigned up_to_lane[4];
  unsigned before_lane[4];  // after the scan: for each row, the number of kept elements in lower lanes
#pragma unroll
  for (int g = 0; g < rows / 4; ++g) {
    up_to_lane[g] = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned of_row = flags[g / 2] >> (4 * (4 * g % 8 + k)) & 15;
      up_to_lane[g] |= static_cast<unsigned>(__popc(of_row)) << (8 * k);
    }
    before_lane[g] = up_to_lane[g];
  }
  for (int stride = 1; stride < 32; stride *= 2) {
    step("count", stride);
#pragma unroll
    for (int g = 0; g < rows / 4; ++g) {
      const unsigned left = __shfl_up_sync(0xffffffff, up_to_lane[g], stride);
      if (lane >= stride) up_to_lane[g] += left;
    }
  }
  unsigned of_rows[4];
  int count = 0;  // the number of the warp's kept elements
#pragma unroll
  for (int g = 0; g < rows / 4; ++g) {
    before_lane[g] = up_to_lane[g] - before_lane[g];
    of_rows[g] = __shfl_sync(0xffffffff, up_to_lane[g], 31);
#pragma unroll
    for (int k = 0; k < 4; ++k) count += of_rows[g] >> (8 * k) & 255;
  }
  if (lane == 0) {
    Count warp_sum = count;
    warp_sums[warp] = warp_sum;
  }

  // Each warp scans the counts of all warps. The first warp publishes the tile's count.
  __syncthreads();
  step(Phase::load);
  Count up_to = 0;  // the number of kept elements in warps 0 to `lane`
  if (lane < threads / 32) up_to = warp_sums[lane];
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
    Count left = __shfl_up_sync(0xffffffff, up_to, stride);
    if (lane >= stride) up_to = op(left, up_to);
  }
  step(Phase::publish);
  if (t == 31) sums[tile] = {up_to, run};

  // Move the kept elements to their places within the tile. Meanwhile, the blocks of earlier tiles can publish their counts.
  step("stage");
  Count tile_sum = __shfl_sync(0xffffffff, up_to, 31);
  Count left_warps = __shfl_sync(0xffffffff, up_to, warp - 1);
  int row = 0;  // the place of the row's first kept element in the tile
  if (warp > 0) row = left_warps;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    int place = row + (before_lane[r / 4] >> (8 * (r % 4)) & 255);
#pragma unroll
    for (int k = 0; k < width; ++k) {
      if (flags[r / 8] >> (4 * (r % 8) + k) & 1) {
        stage[place] = q[r].at[k];
        place += 1;
      }
    }
    row += of_rows[r / 4] >> (8 * (r % 4)) & 255;
  }

  // A group is 32 neighbouring tiles. The first warp reads the counts of all tiles in the previous group, and of the earlier tiles in this tile's group.
  // Each lane reads two counts. Lane 0 also reads a head: the count of all tiles before the previous group.
  step(Phase::look_back);
  if (warp == 0) {
    Count part = 0;
    if (tile > 0) {
      const int group = tile / 32;
      const int own = max(group - 1, 0) * 32 + 2 * lane;
      const int l = min(own, tile - 1);
      const int r = min(own + 1, tile - 1);
      Message<Count> left = sums[l];
      Message<Count> right = sums[r];
      Message<Count> head = {identity<Count>(), run};
      if (lane == 0 && group > 1) head = heads[group - 1];
      while (left.mark != run || right.mark != run || head.mark != run) {  // read all three messages again
        left = sums[l];
        right = sums[r];
        if (lane == 0 && group > 1) head = heads[group - 1];
      }
      __syncwarp();  // not needed for the result. After this barrier, the compiler knows that the lanes have converged, so the sum is faster
      if (own >= tile) left.value = identity<Count>();
      if (own + 1 >= tile) right.value = identity<Count>();
      part = op(left.value, right.value);
      part = __reduce_add_sync(0xffffffff, part);
      if (lane == 0) {
        part = op(head.value, part);
        if (tile % 32 == 31) heads[group + 1] = {op(part, tile_sum), run};
      }
    }
    if (lane == 0) before[0] = part;
  }

  // All threads store the tile's kept elements together.
  __syncthreads();
  step(Phase::store);
  Count begin = before[0];
  const int skipped = begin % 32;  // the first `skipped` threads store nothing in the first iteration, so each iteration begins at a multiple of 32 in the output
  for (int first_of_round = -skipped; first_of_round < tile_sum; first_of_round += threads) {
    const int i = first_of_round + t;
    if (i >= 0 && i < tile_sum) {
      T x = stage[i];
      out[begin + i] = x;
    }
  }
  if (t == 0 && blockIdx.x == gridDim.x - 1) kept[0] = op(begin, tile_sum);
}
