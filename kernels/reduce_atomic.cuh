// Atomic reduction
// Idea        Every thread adds up its share of the array in a register. (This is called privatization: each thread has
//             its own copy of the result.) Then the thread adds its sum to the result in memory, with an atomic operation.
// Gives       reduction
// Elements    any
// Blocks      any
// Needs       commutative, scalar
// Names       blocks = min(grid, ceil_div(n, block))
// Shared      none
// Launches    clear_result<<<1, 32>>>(out); reduce_atomic<<<blocks, block>>>(in, out, n)
// Variants    none
// Steps       1 + (n > blocks * block)
// Operations  n
// Span        max(0, n / (blocks * block) - 1) + min(n, blocks * block)
// Watch       All threads add to one address, and memory serves the threads one after another: the more threads, the longer
//             the queue. The order of the additions can differ from run to run, so the rounding of floats can differ, too.
// Source      [OF] A classic problem of CUDA: reduction, OneFlow, 2021
template <class T>
__global__ void clear_result(Global<T> out) {
  step(Phase::clear);
  if (threadIdx.x == 0) out[0] = identity<T>();
}

template <class T>
__global__ void reduce_atomic(Global<const T> in, Global<T> out, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int all = gridDim.x * blockDim.x;  // the number of threads in the grid

  // A grid-stride loop: neighbouring threads read neighbouring elements, for any n.
  step(Phase::fold);
  T sum = identity<T>();
  if (first < n) sum = in[first];
  for (int i = first + all; i < n; i += all) {
    T x = in[i];
    sum = op(sum, x);
  }

  step(Phase::reduce);
  if (first < n) atomic_op(&out[0], sum);
}
