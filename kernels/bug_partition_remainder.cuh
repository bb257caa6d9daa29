// The remainder of a division
// Idea        The array is cut into one range for each thread of the grid. Each range has n / blocks /
//             threads elements, rounded down. So no thread reads the last elements, which are in no range.
// Gives       reduction
// Elements    any
// Blocks      any
// Buffers     sums: grid
// Shared      bug_partition_remainder(temp: block); add_sums(none)
// Launches    bug_partition_remainder<<<grid, block>>>(in, sums, n); add_sums<<<1, 32>>>(sums, out, grid)
// Variants    none
// Steps       n / (grid * block) + block + grid - 2
// Operations  n - 1
// Broken      wrong result at "temp[t] = sum;"
// Right       reduce_two_pass_blocked
// Watch       The result is right for every n that is a multiple of the number of threads. If the grid has more threads than elements, every
//             range is empty and the sum is 0. To correct the kernel, round the length of the ranges up. Then only the last ranges are shorter.
// Source      [OF] A classic problem of CUDA: reduction, OneFlow, 2021
template <class T>
__global__ void bug_partition_remainder(Global<const T> in, Global<T> sums, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int blocks = gridDim.x;
  const int each = n / blocks / threads;
  const int begin = (blockIdx.x * threads + t) * each;

  step(Phase::fold);
  T sum = identity<T>();
  for (int i = begin; i < begin + each; ++i) {
    T x = in[i];
    sum = op(sum, x);
  }
  temp[t] = sum;

  __syncthreads();
  step(Phase::reduce);
  if (t == 0) {
    for (int k = 1; k < threads; ++k) {
      T x = temp[k];
      sum = op(sum, x);
    }
    sums[blockIdx.x] = sum;
  }
}

template <class T>
__global__ void add_sums(Global<const T> sums, Global<T> out, int blocks) {
  step(Phase::fold);
  if (threadIdx.x == 0) {
    T sum = sums[0];
    for (int i = 1; i < blocks; ++i) {
      T x = sums[i];
      sum = op(sum, x);
    }
    out[0] = sum;
  }
}
