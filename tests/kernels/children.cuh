// Grids that start grids
// Idea        Each grid of the tree stores its rank in the order of starts, and starts two grids: one at once, and one that begins after this grid has ended.
// Gives       copy
// Elements    any
// Blocks      any
// Threads     at least 32
// Buffers     order: n words, next: 1 word
// Shared      none
// Launches    children<<<1, 32>>>(in, out, order, next, 1, n); copy<<<ceil_div(n, 32), 32>>>(in, out, n)
// Variants    none
// Steps       0
// Operations  0
// Watch       Grid k starts grids 2k and 2k + 1. Grid 2k + 1 begins after grids k and 2k have ended.
// Source      A test of the emulator.
template <class T>
__global__ void copy(Global<const T> in, Global<T> out, int n) {
  step(Phase::load);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

template <class T>
__global__ void children(Global<const T> in, Global<T> out, Global<unsigned> order, Global<unsigned> next, int k, int n) {
  step(Phase::launch);
  if (threadIdx.x == 0) {
    order[k] = atomicAdd(&next[0], 1u) + 1;
    if (2 * k < n) launch_now(children<T>, 1, 32, in, out, order, next, 2 * k, n);
    if (2 * k + 1 < n) launch_tail(children<T>, 1, 64, in, out, order, next, 2 * k + 1, n);
  }
}
