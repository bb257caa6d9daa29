// The root is not cleared
// Idea        This Blelloch scan goes directly from the up-sweep to the down-sweep. The root still holds
//             the total instead of the identity, so the down-sweep passes the total down to every leaf.
// Gives       exclusive scan
// Elements    2 per thread
// Variants    none
// Steps       2 * log2(n)
// Operations  2 * (n - 1)
// Broken      wrong result at "temp[ai] = temp[bi]"
// Right       scan_blelloch
// Watch       There is no race and no access out of bounds. Only the numbers are wrong: each number is too large by the array's total. If the total is 0, the numbers are right, too.
// Source      Our own
template <class T>
__global__ void bug_lost_root_clear(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int width = tree_width(n);  // the number of leaves of the tree: a power of two, at least 2
  const int half = width / 2;       // the number of threads that work

  step(Phase::load);
  if (t < half) {
    T x = identity<T>(), y = identity<T>();
    if (t < n) x = in[t];
    if (t + half < n) y = in[t + half];
    temp[t] = x;
    temp[t + half] = y;
  }

  int stride = 1;
  for (int d = half; d > 0; d /= 2) {
    __syncthreads();
    step(Phase::up_sweep, stride);
    if (t < d) {
      const int ai = stride * (2 * t + 1) - 1;
      const int bi = stride * (2 * t + 2) - 1;
      T left = temp[ai];
      T right = temp[bi];
      temp[bi] = op(left, right);
    }
    stride *= 2;
  }

  for (int d = 1; d < width; d *= 2) {
    stride /= 2;
    __syncthreads();
    step(Phase::down_sweep, stride);
    if (t < d) {
      const int ai = stride * (2 * t + 1) - 1;
      const int bi = stride * (2 * t + 2) - 1;
      T sum = temp[ai];
      temp[ai] = temp[bi];
      T prefix = temp[bi];
      temp[bi] = op(prefix, sum);
    }
  }

  __syncthreads();
  step(Phase::store);
  if (t < half) {
    if (t < n) out[t] = temp[t];
    if (t + half < n) out[t + half] = temp[t + half];
  }
}
