// Blelloch scan
// Idea        Build a tree of partial sums in place, and put the identity at its root. Then go back down: each node passes the sum of all earlier elements
//             to its left child. The right child gets this sum plus the left child's sum. The n - 1 swaps of the down-sweep do not count as operations.
// Gives       exclusive scan
// Elements    2 per thread
// Variants    layouts, load patterns
// Steps       2 * log2(n)
// Operations  2 * (n - 1)
// Span        2 * log2(tree_width(n)) - 1
// Watch       Bank conflicts first double with the stride, and then halve. For n = 1,024 or more, conflicts are up to 32-way. At each stride of the up-sweep, half of the active lanes stop working. In the down-sweep, these lanes work again.
// Source      [GEMS] GPU Gems 3, ch. 39, after Blelloch, Prefix Sums and Their Applications, 1990
template <class T>
__global__ void scan_blelloch(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int width = tree_width(n);  // the number of leaves of the tree: a power of two, at least 2
  const int half = width / 2;       // the number of threads that work

  // Each thread loads two elements, or the identity beyond the end of the array.
  step(Phase::load);
  const int a = neighbours ? 2 * t : t;
  const int b = neighbours ? 2 * t + 1 : t + half;
  if (t < half) {
    T x = identity<T>(), y = identity<T>();
    if (a < n) x = in[a];
    if (b < n) y = in[b];
    temp[pad(a)] = x;
    temp[pad(b)] = y;
  }

  // Up-sweep: build the tree of partial sums, in place.
  int stride = 1;
  for (int d = half; d > 0; d /= 2) {
    __syncthreads();
    step(Phase::up_sweep, stride);
    if (t < d) {
      const int ai = pad(stride * (2 * t + 1) - 1);
      const int bi = pad(stride * (2 * t + 2) - 1);
      T left = temp[ai];
      T right = temp[bi];
      temp[bi] = op(left, right);
    }
    stride *= 2;
  }

  // Set the root to the identity. No barrier is needed, because thread 0 itself stored the root.
  step(Phase::clear);
  if (t == 0) temp[pad(width - 1)] = identity<T>();

  // Down-sweep: the left child gets its parent's prefix. The right child gets this prefix plus the left child's sum.
  for (int d = 1; d < width; d *= 2) {
    stride /= 2;
    __syncthreads();
    step(Phase::down_sweep, stride);
    if (t < d) {
      const int ai = pad(stride * (2 * t + 1) - 1);
      const int bi = pad(stride * (2 * t + 2) - 1);
      T sum = temp[ai];
      temp[ai] = temp[bi];
      T prefix = temp[bi];
      temp[bi] = op(prefix, sum);
    }
  }

  __syncthreads();
  step(Phase::store);
  if (t < half) {
    if (a < n) out[a] = temp[pad(a)];
    if (b < n) out[b] = temp[pad(b)];
  }
}
