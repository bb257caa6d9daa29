// Nested hello
// Idea        Each grid starts one child grid with half as many threads, until a grid has one thread. The kernel computes nothing. It is an example
//             of a tree of launches. The original program prints a greeting. Here, thread t in a grid of s threads copies element s + t instead.
// Gives       copy
// Elements    2 per thread
// Threads     power of two, at least 1
// Shared      none
// Variants    none
// Steps       0
// Operations  0
// Span        0
// Watch       A child grid sees what its parent thread wrote to global memory before the launch. The child grid cannot access shared or local memory of its parent, so never pass a pointer
//             to such memory. A parent thread cannot wait for its child grid, but a parent grid is complete only when its child grids are complete. Grids at different nesting levels may
//             run at the same time. A launch takes longer than the work of the child grid. The article names limits of old GPUs: at most 24 levels, and compute capability 3.5 or later.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism, after Cheng et al., Professional CUDA C Programming
template <class T>
__global__ void nested_hello(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  const int threads = blockDim.x;

  step(Phase::store);
  if (threads + t < n) out[threads + t] = in[threads + t];
  if (threads == 1) out[0] = in[0];

  step(Phase::launch);
  if (t == 0 && threads > 1) launch_now(nested_hello<T>, 1, threads / 2, in, out, n);
}
