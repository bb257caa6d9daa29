// Summed-area table by a thread for each column
// Idea        One thread for each row scans the row. Then one thread for each column scans the column of these sums.
// Gives       summed-area table
// Data        rows x columns
// Elements    any
// Blocks      one
// Variants    channels 1|3
// Inputs      in: channels * n
// Outputs     out: channels * n
// Launches    sum_rows<<<1, block>>>(in, out, rows, columns, channels); sum_columns<<<1, block>>>(out, rows, columns * channels)
// Steps       0
// Operations  0
// Watch       The columns.
// Source      A test of summed-area tables.
template <class T>
__global__ void sum_rows(Global<const T> in, Global<T> out, int rows, int columns, int channels) {
  step("rows");
  for (int row = threadIdx.x; row < rows; row += blockDim.x)
    for (int channel = 0; channel < channels; ++channel) {
      T sum = identity<T>();
      for (int column = 0; column < columns; ++column) {
        T x = in[(row * columns + column) * channels + channel];
        sum = op(sum, x);
        out[(row * columns + column) * channels + channel] = sum;
      }
    }
}

template <class T>
__global__ void sum_columns(Global<T> out, int rows, int columns) {
  step("columns");
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    T sum = identity<T>();
    for (int row = 0; row < rows; ++row) {
      T x = out[row * columns + column];
      sum = op(sum, x);
      out[row * columns + column] = sum;
    }
  }
}
