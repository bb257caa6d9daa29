// Nested hello
// Idea        Each grid starts one child grid with half its threads, until a grid has one thread. The kernel computes nothing: it shows a
//             tree of launches. The original program prints a greeting. Here, thread t in a grid of s threads copies element s + t instead.
// Gives       copy
// Elements    2 per thread
// Threads     power of two, at least 1
// Shared      none
// Variants    none
// Steps       0
// Operations  0
// Span        0
// Watch       A child grid sees what its parent thread wrote to global memory before the launch. Never pass the child a pointer to shared or local memory, because the child
//             cannot access this memory. A parent thread cannot wait for its child, but a parent grid is complete only when its children are complete. Grids of several levels may
//             run at the same time. A launch takes longer than the work of the child grid. The limits in the article are old: at most 24 levels, compute capability 3.5 or later.
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
