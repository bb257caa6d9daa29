// Transpose through tiles
// Idea        A tile is loaded row by row and stored column by column, so that global memory is both read and written
//             in whole rows.
// Gives       transpose
// Data        rows x columns
// Elements    any
// Blocks      any
// Variants    row_cells 33|32
// Shared      tile: 32 x 32 pitch row_cells
// Launches    transpose<<<(ceil_div(columns, 32), ceil_div(rows, 32)), (32, block / 32)>>>(in, out, rows, columns, row_cells)
// Steps       0
// Operations  0
// Watch       With rows of 32 cells, each column is in one bank.
// Source      A test of grids and data of two dimensions.
template <class T>
__global__ void transpose(Global<const T> in, Global<T> out, int rows, int columns, int row_cells) {
  Shared<T> tile;
  const int left = 32 * blockIdx.x, top = 32 * blockIdx.y, x = threadIdx.x;
  step(Phase::load);
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (top + y < rows && left + x < columns) tile[y * row_cells + x] = in[(top + y) * columns + left + x];
  __syncthreads();
  step("transpose");
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (left + y < columns && top + x < rows) out[(left + y) * rows + top + x] = tile[x * row_cells + y];
}
