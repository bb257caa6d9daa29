// Nested branches
// Idea        The lanes in an if run first, then the lanes in its else. After each branch, the lanes go on together, innermost branch first.
// Gives       inclusive scan
// Elements    1 per thread
// Variants    none
// Steps       1
// Operations  n
// Watch       The active masks follow the convergence rule.
// Source      A test of the convergence rule.
template <class T>
__global__ void convergence_branches(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  step(Phase::load);
  T x = in[t % n];
  if (t % 2 == 0) {
    temp[t] = x;
    if (t % 3 == 0) {
      x = op(x, x);
      temp[t] = x;
    } else if (t % 5 == 0) {
      temp[t] = x;
    } else {
      T y = temp[t];
      x = op(x, y);
    }
    temp[t] = x;
  } else {
    temp[t] = x;
    if (t % 3 == 0) temp[t] = op(x, x);
  }
  T z = temp[t];
  out[t] = z;
}
