// Sequential recurrence
// Idea        The recurrence is y[j] = a[j] * y[j-1] + b[j], with y[-1] = 0. One thread walks through the array and keeps the last y.
// Gives       recurrence
// Ladder      linear_recurrence: sequential
// Operators   affine
// Outputs     out: n numbers
// Elements    any
// Shared      none
// Variants    none
// Steps       n
// Operations  n
// Span        n
// Watch       Each y needs the previous y, so the recurrence seems to have no parallelism. One lane of one warp is active.
// Source      [W4] week 4, Hwu
template <class T>
__global__ void linear_recurrence_sequential(Global<const T> in, Global<Number<T>> out, int n) {
  const int t = threadIdx.x;
  Number<T> y = identity<Number<T>>();  // y[-1] = 0

  for (int i = 0; i < n; ++i) {
    step(Phase::scan);
    if (t == 0) {
      T map = in[i];
      y = apply(map, y);
      out[i] = y;
    }
  }
}
