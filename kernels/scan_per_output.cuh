// One thread per output
// Idea        Every output is a reduction by one thread: thread t adds up all elements up to element t (exclusive: before element t). Threads do not share partial sums.
// Gives       inclusive or exclusive scan
// Elements    1 per thread
// Blocks      any
// Shared      none
// Launches    scan_per_output<<<ceil_div(n, block), block>>>(in, out, n)
// Variants    none
// Steps       n > 1
// Operations  n * (n - 1) / 2
// Span        n - 1
// Largest     4096
// Watch       Thread t makes t iterations of its loop, all in one step. After each iteration, one more thread has ended, and the last thread
//             works to the end. The work is quadratic: n(n - 1)/2 operations, although n - 1 would be enough. Therefore n is limited.
// Source      [MIT] CUDA prefix sum step by step; [W4] week 4, Hwu
template <class T>
__global__ void scan_per_output(Global<const T> in, Global<T> out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int shift = exclusive ? 1 : 0;  // place i of an exclusive scan gets element i - 1, and place 0 gets the identity

  step(Phase::scan);
  if (t < n) {
    T sum = identity<T>();
    if (!exclusive) sum = in[0];
#pragma unroll 1  // not unrolled, because threads would diverge differently in an unrolled loop
    for (int i = 1; i <= t; ++i) {
      T x = in[i - shift];
      sum = op(sum, x);
    }
    out[t] = sum;
  }
}
