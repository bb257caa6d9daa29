// Loops with different trip counts
// Idea        Lanes leave two nested loops at different iterations. The lanes converge at the head and at the end of each loop.
// Gives       inclusive scan
// Elements    1 per thread
// Variants    none
// Steps       1
// Operations  n
// Watch       The active masks follow the convergence rule.
// Source      A test of the convergence rule.
template <class T>
__global__ void convergence_loops(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  step(Phase::load);
  temp[t] = in[t % n];
  for (int i = 0; i < t % 3 + 1; i++) {
    for (int j = 0; j < (t + i) % 4; j++) {
      T x = temp[t];
      temp[t] = op(x, x);
    }
    T y = temp[t];
    temp[t] = y;
  }
  int k = t % 5;
  while (k > 0) temp[t] = temp[t], k--;
  out[t] = temp[t];
}
