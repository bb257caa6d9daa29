// Summed-area table by two scans
// Idea        Entry (row, column) of the table is the sum of all pixels from the top left corner to this row and this column. First scan each row,
//             and then each column of the result. The picture is transposed before the scan of the columns, because the threads of a warp read
//             memory best along rows. If a pixel has three numbers (red, green and blue), the first launch moves each colour to its own plane.
// Gives       summed-area table
// Ladder      summed_area_table: source
// Operators   sum
// Types       int32 uint32 int64 float32 float64
// Data        rows x columns
// Inputs      in: channels * n
// Outputs     out: channels * n
// Elements    any
// Blocks      any
// Threads     power of two
// Variants    channels 1|3, row_cells 33|32
// Names       squares = ceil_div(rows, 32) * ceil_div(columns, 32), tile = 2 * block, across = ceil_div(columns, tile), down = ceil_div(rows, tile),
//             row_depth = across > 1 ? 2 * log2(tile) + across : max(1, 2 * log2(columns))
// Buffers     planes: channels * n, sums: channels * n
// Shared      deinterleave(none); scan_rows(temp: tile); transpose(cells: 32 x 32 pitch row_cells); interleave(none)
// Launches    deinterleave<<<ceil_div(n, block), block>>>(in, planes, n) if channels > 1;
//             scan_rows<<<channels * rows, block>>>(channels > 1 ? planes : in, sums, columns);
//             transpose<<<channels * squares, (32, block / 32)>>>(sums, planes, rows, columns);
//             scan_rows<<<channels * columns, block>>>(planes, sums, rows);
//             transpose<<<channels * squares, (32, block / 32)>>>(sums, channels > 1 ? planes : out, columns, rows);
//             interleave<<<ceil_div(n, block), block>>>(planes, out, n) if channels > 1
// Steps       (across + down) * (2 * log2(tile) + 2)
// Operations  channels * (rows * (across * (2 * tile - 1) + columns) + columns * (down * (2 * tile - 1) + rows))
// Span        row_depth + (down > 1 ? 2 * log2(tile) + down : 2 * log2(tile) - (rows < tile))
// Watch       Every number is read and written four times, and six times in a picture with three channels. In a transpose, a warp reads a column
//             of 32 cells from shared memory. With rows of 33 cells, 4 bytes each, these cells are in 32 different banks. With rows of 32 cells,
//             all these cells are in one bank. n is limited so that the index of every number fits into an int, also with three channels.
// Largest     268435456
// Source      [GEMS] GPU Gems 3, ch. 39, section 39.3.2
template <class T>
__global__ void deinterleave(Global<const T> in, Global<T> planes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  step("deinterleave");
  for (int channel = 0; channel < channels; ++channel)
    if (i < n) planes[channel * n + i] = in[channels * i + channel];
}

// Each block scans one row, tile by tile, with Blelloch's scan.
template <class T>
__global__ void scan_rows(Global<const T> from, Global<T> to, int columns) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int tile = 2 * half;
  const int begin = blockIdx.x * columns;  // the first element of the row

  T before = identity<T>();  // in thread 0: the sum of the tiles before this tile
  for (int left = 0; left < columns; left += tile) {
    step(Phase::load);
    T x = identity<T>(), y = identity<T>();
    if (left + t < columns) x = from[begin + left + t];
    if (left + half + t < columns) y = from[begin + left + half + t];
    temp[t] = x;
    temp[half + t] = y;

    int stride = 1;
    for (int d = half; d > 0; d /= 2) {
      __syncthreads();
      step(Phase::up_sweep, stride);
      if (t < d) {
        const int ai = stride * (2 * t + 1) - 1;
        const int bi = stride * (2 * t + 2) - 1;
        T sum = temp[ai];
        T right = temp[bi];
        temp[bi] = op(sum, right);
      }
      stride *= 2;
    }

    // The root gets the sum of the tiles before this tile, instead of zero. So the down-sweep also adds this sum to all elements.
    step(Phase::clear);
    if (t == 0) {
      T sum = temp[tile - 1];
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
        T sum = temp[ai];
        T prefix = temp[bi];
        temp[ai] = prefix;
        temp[bi] = op(prefix, sum);
      }
    }

    __syncthreads();
    step(Phase::store);
    if (left + t < columns) {
      T prefix = temp[t];
      to[begin + left + t] = op(prefix, x);
    }
    if (left + half + t < columns) {
      T prefix = temp[half + t];
      to[begin + left + half + t] = op(prefix, y);
    }
  }
}

// Each block transposes a square of 32 x 32 cells of one plane. The block writes rows to shared memory and reads columns, so all accesses to global memory go along rows.
template <class T>
__global__ void transpose(Global<const T> from, Global<T> to, int rows, int columns) {
  Shared<T> cells;
  const int x = threadIdx.x;
  const int across = (columns + 31) / 32;
  const int squares = across * ((rows + 31) / 32);  // the number of squares in one plane
  const int square = blockIdx.x % squares;
  const int left = square % across * 32;
  const int top = square / across * 32;
  const int plane = blockIdx.x / squares * (rows * columns);

  step(Phase::load);
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (top + y < rows && left + x < columns) cells[y * row_cells + x] = from[plane + (top + y) * columns + left + x];

  __syncthreads();
  step("transpose");
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (left + y < columns && top + x < rows) to[plane + (left + y) * rows + top + x] = cells[x * row_cells + y];
}

template <class T>
__global__ void interleave(Global<const T> planes, Global<T> out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  step("interleave");
  for (int channel = 0; channel < channels; ++channel)
    if (i < n) out[channels * i + channel] = planes[channel * n + i];
}
