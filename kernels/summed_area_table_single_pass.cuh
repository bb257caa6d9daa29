// Summed-area table in one pass
// Idea        Each block computes the table of its own tile, in shared memory. The block also needs the sums of pixels outside the tile: the sum above each column, the sum to the left of each row, and the sum of all pixels
//             that are above the tile and also to its left. Each tile publishes its bottom row, its right column, and the sum of all pixels to its left. A block reads the messages of up to seven tiles above its tile and of
//             up to seven tiles to the left. For tiles further away, the block reads two heads: one head has the sums of all further tiles above, and the other head has the sums of all further tiles to the left.
// Gives       summed-area table
// Ladder      summed_area_table: single_pass
// Mends       One launch reads every number once and writes every number once. In summed_area_table, two scans and two transposes read and write every number four times or more.
// Operators   sum
// Types       int32 uint32 int64 float32 float64
// Data        rows x columns
// Inputs      in: channels * n pixels
// Outputs     out: channels * n
// Elements    any
// Blocks      any
// Variants    channels 1|3, pixels elements|bytes(int32 uint32), warp_rows 4|16, ahead 0|30
// Tuning      warp_rows 4, 256 threads to 2^20; warp_rows 16, ahead 30, 256 threads
// Names       width = 16 / element_size, warps = block / 32, tile_rows = warp_rows * warps, tile_columns = 32 * width,
//             lines = tile_rows + tile_columns + 1, slots = 32 * ceil_div(lines, 32),
//             down = ceil_div(rows, tile_rows), across = ceil_div(columns, tile_columns), tiles = channels * down * across,
//             own_depth = warp_rows + width + 4 + warps,
//             left_depth = across > 1 ? own_depth + 7 + 2 * ((across - 1) / 8) : 8,
//             above_depth = down > 1 ? own_depth + 8 + 2 * ((down - 1) / 8) + warps : own_depth + 1,
//             corner_depth = left_depth + (down > 1 ? 9 + 2 * ((down - 1) / 8) : 1)
// Buffers     sums: tiles * slots messages, heads: tiles * slots messages
// Shared      table: tile_rows * tile_columns, own: lines, before: lines
// Launches    summed_area_table_single_pass<<<tiles, block>>>(in, out, sums, heads, run, rows, columns)
// Steps       7 * (warp_rows / min(8, warp_rows)) + (warps > 1) + 1 + (warps > 1 || down > 3) + 1
// Operations  tiles * (tile_rows * (160 * width + 97) + (warps - 1) * tile_columns + (warp_rows + tile_columns) * (warps * (warps - 1) / 2) + 8 * lines)
//                   + channels * (down * (across / 4) * tile_rows + across * (down / 4) * (tile_columns + 1))
// Span        max(above_depth, corner_depth) + 1
// Watch       Blocks take the tiles in the order of the antidiagonals. The tiles above a tile and to its left therefore begin much earlier, and have
//             usually sent their messages in time. If blocks took the tiles row by row, a tile would wait for its left neighbours, which load at the
//             same time. A block's index decides its tile: the GPUs that we measured start blocks in index order, but CUDA does not promise this order.
//             Sums are added in the same order in every run. n is limited so that the index of every number fits into an int, also with three channels.
// Largest     268435456
// Source      [+] after Emoto, Funasaka, Tokura, Honda, Nakano and Ito, 2018
template <class T>
__launch_bounds__(block_size, 65536 / 80 / (block_size > 64 ? block_size : 64))
__global__ void summed_area_table_single_pass(Global<const Pixel<T>> in, Global<T> out, Global<volatile Message<T>> sums,
                                              Global<volatile Message<T>> heads, int run, int rows, int columns) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int threads = blockDim.x;
  const int width = Pack<T>::width;
  const int last = width - 1;
  const int tile_columns = 32 * width;
  const int tile_rows = warp_rows * (threads / 32);
  const int lines = tile_columns + tile_rows + 1;  // the number of sums that a tile needs: one for each column, one for each row, and one for the corner
  const int slots = (lines + 31) / 32 * 32;        // `lines` rounded up to a multiple of 32, so that the sums that a warp publishes fill whole sectors of 32 bytes
  const int across = (columns - 1) / tile_columns + 1;
  const int down = (rows - 1) / tile_rows + 1;
  Shared<T> table;
  Shared<T> own(table, tile_rows * tile_columns);  // the bottom row and the right column of this tile's table
  Shared<T> before(own, lines);                    // for each line (a column, a row or the corner): the sum before this tile

  // Find the tile's diagonal by binary search. In an infinite picture, diagonals 0 to d - 1 would have d * (d + 1) / 2 tiles. `count` leaves out the tiles to the
  // right of the picture and below the picture.
  const int channel = blockIdx.x % channels;
  const int number = blockIdx.x / channels;
  int diagonal = 0, tiles_before = 0;
  for (int jump = tree_width(across + down) / 2; jump > 0; jump /= 2) {
    const int d = diagonal + jump;
    const unsigned all = d, right = max(d - across, 0), below = max(d - down, 0);
    const int count = (all * (all + 1) - right * (right + 1) - below * (below + 1)) / 2;
    if (d < across + down && count <= number) {
      diagonal = d;
      tiles_before = count;
    }
  }
  const int place = number - tiles_before;  // the tile's place on its diagonal
  const int tile_row = max(diagonal - across + 1, 0) + place;
  const int tile_column = diagonal - tile_row;
  const int tile = (channel * down + tile_row) * across + tile_column;
  const int top = tile_row * tile_rows + warp * warp_rows;     // the warp's first row
  const int left = tile_column * tile_columns + width * lane;  // the lane's first column
  const bool in_packs = channels == 1 && columns % width == 0;
  const bool full = in_packs && (tile_row + 1) * tile_rows <= rows && (tile_column + 1) * tile_columns <= columns;

  // Each warp computes the table of its own rows, at most eight rows at a time. Each lane loads one pack of neighbouring numbers from each row.
  const int at_once = warp_rows < 8 ? warp_rows : 8;
  Pack<T> sum;  // the sums of the lane's columns
#pragma unroll
  for (int k = 0; k < width; ++k) sum.at[k] = identity<T>();
#pragma unroll 1
  for (int start = 0; start < warp_rows; start += at_once) {
    step(Phase::load);
    Pack<T> q[8];
    if (full) {
#pragma unroll
      for (int r = 0; r < at_once; ++r) q[r] = load_pack(in, ((top + start + r) * columns + left) / width);
    } else {
#pragma unroll
      for (int r = 0; r < at_once; ++r) {
        const int row = top + start + r;
#pragma unroll
        for (int k = 0; k < width; ++k) {
          q[r].at[k] = identity<T>();
          if (row < rows && left + k < columns) q[r].at[k] = in[(row * columns + left + k) * channels + channel];
        }
      }
    }

    // The warp prefetches its rows of a later tile into L2. The later tile comes `ahead` tiles after this tile, so the block of the later tile starts soon.
    if (ahead > 0 && start == 0 && in_packs && lane < warp_rows) {
      int d = diagonal, k = place + ahead;
      int length = min(min(d + 1, across + down - 1 - d), min(across, down));  // the number of tiles on diagonal d
      while (length > 0 && k >= length) {
        k -= length;
        ++d;
        length = min(min(d + 1, across + down - 1 - d), min(across, down));
      }
      const int later_row = max(d - across + 1, 0) + k;
      const int later_column = d - later_row;
      const int row = later_row * tile_rows + warp * warp_rows + lane;
      if (length > 0 && row < rows && (later_column + 1) * tile_columns <= columns)
        prefetch(in, row * columns + later_column * tile_columns, tile_columns);
    }

    // Add the sum of the warp's earlier rows to each row. Then scan all rows at the same time: first each lane scans its pack, then the warp scans the sums of the packs.
    step(Phase::fold);
#pragma unroll
    for (int r = 0; r < at_once; ++r) {
#pragma unroll
      for (int k = 0; k < width; ++k) sum.at[k] = op(sum.at[k], q[r].at[k]);
      q[r] = sum;
#pragma unroll
      for (int k = 1; k < width; ++k) q[r].at[k] = op(q[r].at[k - 1], q[r].at[k]);
    }
    for (int stride = 1; stride < 32; stride *= 2) {
      step(Phase::scan, stride);
#pragma unroll
      for (int r = 0; r < at_once; ++r) {
        T other = __shfl_up_sync(0xffffffff, q[r].at[last], stride);
        if (lane >= stride) q[r].at[last] = op(other, q[r].at[last]);
      }
    }

    // Number k of a lane's pack is stored in cell 32 * k + lane of the row, so neighbouring lanes use neighbouring cells.
    step(Phase::offset);
#pragma unroll
    for (int r = 0; r < at_once; ++r) {
      T other = __shfl_up_sync(0xffffffff, q[r].at[last], 1);
      T lanes_before = identity<T>();
      if (lane > 0) lanes_before = other;
      const int cell = (warp * warp_rows + start + r) * tile_columns + lane;
#pragma unroll
      for (int k = 0; k < last; ++k) table[cell + 32 * k] = op(lanes_before, q[r].at[k]);
      table[cell + 32 * last] = q[r].at[last];
    }
  }

  // Publish the tile's bottom row and right column. A warp's table lacks the sums of the warps above, so the bottom rows of these warps are added.
  __syncthreads();
  step(Phase::publish);
  for (int line = t; line < lines - 1; line += threads) {
    const int row = line < tile_columns ? tile_rows - 1 : line - tile_columns;
    const int cell = min(line, tile_columns - 1);
    T total = table[row * tile_columns + cell];
    for (int w = 0; w < threads / 32 - 1; ++w) {
      if (w < row / warp_rows) {
        T above = table[((w + 1) * warp_rows - 1) * tile_columns + cell];
        total = op(above, total);
      }
    }
    own[line] = total;
    sums[tile * slots + line] = {total, run};
  }

  // For each line, look back over earlier tiles: to the left for a row, upwards for a column or the corner.
  step(Phase::look_back);
  for (int line = t; line - lane < lines; line += threads) {
    const bool is_row = line >= tile_columns && line < lines - 1;
    int index = is_row ? tile_column : tile_row;         // for a row, the number of tiles to the left; else, the number of tiles above
    if (line >= lines) index = 0;
    const int apart = is_row ? slots : slots * across;   // the distance between the sums of two neighbouring tiles
    const int near = index - 4 * max(index / 4 - 1, 0);  // the number of earlier tiles in this tile's group of four and in the previous group
    const int mine = tile * slots + line;
    Message<T> parts[7];
    Message<T> head = {identity<T>(), run};
#pragma unroll
    for (int k = 0; k < 7; ++k) {
      parts[k] = {identity<T>(), run};
      if (k < near) parts[k] = sums[mine - (k + 1) * apart];
    }
    if (near < index) head = heads[mine - (near + 1) * apart];
#pragma unroll
    for (int k = 0; k < 7; ++k)
      while (parts[k].mark != run) parts[k] = sums[mine - (k + 1) * apart];
    while (head.mark != run) head = heads[mine - (near + 1) * apart];
    __syncwarp();  // not needed for the result. After this barrier, all lanes of the warp store together
    if (line < lines) {
      T total = identity<T>();
#pragma unroll
      for (int k = 0; k < 7; ++k) total = op(parts[k].value, total);
      total = op(head.value, total);
      before[line] = total;
      if (line == lines - 2) sums[mine + 1] = {total, run};  // the sum of all tiles to the left of this tile; the tiles below add this sum to their corners
      if (index % 4 == 3 && line < lines - 1) {
        T inside = own[line];
        heads[mine] = {op(total, inside), run};
      }
    }
  }

  // In every fourth row of tiles, thread 0 publishes the corner sum of the tile below. Then each lane adds up its columns: the tiles above, and the warps above in this tile.
  __syncthreads();
  step(Phase::offset);
  T corner = before[lines - 1];
  if (t == 0 && tile_row % 4 == 3) {
    T beside = before[lines - 2];
    heads[tile * slots + lines - 1] = {op(corner, beside), run};
  }
  Pack<T> above;
#pragma unroll
  for (int k = 0; k < width; ++k) {
    above.at[k] = before[32 * k + lane];
    for (int bottom = warp_rows - 1; bottom < warp * warp_rows; bottom += warp_rows) {
      T other = table[bottom * tile_columns + 32 * k + lane];
      above.at[k] = op(above.at[k], other);
    }
  }
  step(Phase::store);
#pragma unroll 4
  for (int r = 0; r < warp_rows; ++r) {
    const int row = top + r;
    const int cell = (warp * warp_rows + r) * tile_columns + lane;
    T beside = before[tile_columns + warp * warp_rows + r];
    beside = op(corner, beside);
    Pack<T> result;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      T inside = table[cell + 32 * k];
      result.at[k] = op(op(inside, above.at[k]), beside);
    }
    if (full) {
      stream_pack(out, (row * columns + left) / width, result);
    } else {
      __syncwarp();  // not needed for the result. Without this barrier, the compiler could move loads into the `if` below, so lanes outside the picture would skip these loads
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (row < rows && left + k < columns) out[(row * columns + left + k) * channels + channel] = result.at[k];
    }
  }
}
