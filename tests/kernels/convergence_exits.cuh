// Continue, break and return
// Idea        Lanes that continue wait for the next iteration, lanes that break wait after the loop, and lanes that return exit.
// Gives       inclusive scan
// Elements    1 per thread
// Variants    none
// Steps       1
// Operations  n
// Watch       The active masks follow the convergence rule.
// Source      A test of the convergence rule.
template <class T>
__global__ void convergence_exits(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  step(Phase::load);
  temp[t] = in[t % n];
  if (t % 11 == 7) return;
  for (int i = 0; i < 6; i++) {
    if ((t + i) % 4 == 0) continue;
    T x = temp[t];
    if (i == t % 5) break;
    if (t % 13 == 5) {
      if (i == 3) return;
    }
    temp[t] = op(x, x);
  }
  __syncthreads();
  out[t] = temp[t];
}
