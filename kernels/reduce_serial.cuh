// Serial reduction
// Idea        One thread walks through the array and adds up its elements, as a CPU would do. This kernel is the baseline: the other reductions are compared with it.
// Gives       reduction
// Elements    any
// Shared      none
// Variants    none
// Steps       n - 1
// Operations  n - 1
// Span        n - 1
// Watch       One lane of one warp works. Each addition waits for the previous addition and for its own load. The GPU has no other work during these waits.
// Source      [OF] A classic problem of CUDA: reduction, OneFlow, 2021
template <class T>
__global__ void reduce_serial(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T sum = identity<T>();

  step(Phase::load);
  if (t == 0) sum = in[0];

  for (int i = 1; i < n; ++i) {
    step(Phase::fold);
    if (t == 0) {
      T x = in[i];
      sum = op(sum, x);
    }
  }

  step(Phase::store);
  if (t == 0) out[0] = sum;
}
