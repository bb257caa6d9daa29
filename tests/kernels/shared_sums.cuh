// Sums of blocks in shared memory
// Idea        All threads of a block add their elements to one cell of shared memory, atomically.
// Gives       reduction
// Elements    any
// Blocks      any
// Needs       commutative, scalar
// Names       blocks = min(grid, ceil_div(n, block))
// Shared      total: 1
// Launches    clear_total<<<1, 32>>>(out); shared_sums<<<blocks, block>>>(in, out, n)
// Variants    none
// Steps       2
// Operations  n + blocks
// Watch       The operations of atomics on shared memory are counted in blocks out of focus, too.
// Source      A test of the counts.
template <class T>
__global__ void clear_total(Global<T> out) {
  step(Phase::clear);
  if (threadIdx.x == 0) out[0] = identity<T>();
}

template <class T>
__global__ void shared_sums(Global<const T> in, Global<T> out, int n) {
  Shared<T> total;
  const int t = threadIdx.x;
  const int all = gridDim.x * blockDim.x;
  step(Phase::clear);
  if (t == 0) total[0] = identity<T>();
  __syncthreads();
  step(Phase::fold);
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += all) {
    T x = in[i];
    atomic_op(&total[0], x);
  }
  __syncthreads();
  step(Phase::reduce);
  if (t == 0) {
    T x = total[0];
    atomic_op(&out[0], x);
  }
}
