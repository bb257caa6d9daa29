// Sequential scan
// Idea        One thread walks through the array and keeps the sum of all elements so far. No step can begin before the previous step has ended.
// Gives       inclusive or exclusive scan
// Elements    any
// Shared      none
// Variants    none
// Steps       n - 1
// Operations  n - 1
// Span        n - 1
// Watch       The number of operations of this scan is the baseline: no inclusive scan needs fewer than n - 1 operations. An exclusive scan needs only n - 2 operations, but this loop also adds the last element. Every operation takes one step. Only one lane of one warp is active, which is the worst case.
// Source      [MIT] CUDA prefix sum step by step; [GEMS] GPU Gems 3, ch. 39; [W4] week 4, Hwu
template <class T>
__global__ void scan_sequential(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T sum = identity<T>();  // the sum of all elements that are already loaded

  step(Phase::load);
  if (t == 0) {
    sum = in[0];
    if (exclusive) out[0] = identity<T>();
    else out[0] = sum;
  }

  for (int i = 1; i < n; ++i) {
    step(Phase::scan);
    if (t == 0) {
      T x = in[i];
      if (exclusive) out[i] = sum;
      sum = op(sum, x);
      if (!exclusive) out[i] = sum;
    }
  }
}
