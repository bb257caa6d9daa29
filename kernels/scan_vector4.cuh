// Four elements at a time
// Idea        Each thread loads two groups of four elements, scans each group in its registers, and gives only the two sums to the block's tree. Then each thread
//             adds the sum of all elements before a group to the group's prefix sums. Most of the work is sequential and needs no barrier (Brent's theorem).
// Gives       exclusive scan
// Elements    8 per thread
// Threads     power of two
// Names       fours = tree_width(ceil_div(n, 4))
// Shared      temp: fours
// Variants    layouts
// Steps       2 * log2(fours) + 2
// Operations  2 * (4 * fours - 1)
// Span        2 * log2(fours) + 3
// Watch       This kernel and scan_blelloch make the same number of operations. In this kernel, each group of four takes 6 operations, and the tree takes all other operations. But
//             this kernel makes a quarter of the accesses to global memory, each of 16 bytes. The tree has a quarter of the leaves, so there are fewer strides, barriers and conflicts.
// Source      [GEMS] GPU Gems 3, ch. 39, section 39.2.5; Brent, The Parallel Evaluation of General Arithmetic Expressions, 1974
template <class T>
__global__ void scan_vector4(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int fours = tree_width((n + 3) / 4);  // the number of leaves of the tree: a power of two, at least 2
  const int half = fours / 2;                 // the number of threads that work

  // Load groups t and t + half, of four elements each, or the identity beyond the end of the array.
  step(Phase::load);
  Four<T> p = {identity<T>(), identity<T>(), identity<T>(), identity<T>()};
  Four<T> q = {identity<T>(), identity<T>(), identity<T>(), identity<T>()};
  if (t < half) {
    const int a = 4 * t;
    if (a + 3 < n) {
      p = load_four(in, t);
    } else {
      if (a < n) p.x = in[a];
      if (a + 1 < n) p.y = in[a + 1];
      if (a + 2 < n) p.z = in[a + 2];
    }
    const int b = 4 * (t + half);
    if (b + 3 < n) {
      q = load_four(in, t + half);
    } else {
      if (b < n) q.x = in[b];
      if (b + 1 < n) q.y = in[b + 1];
      if (b + 2 < n) q.z = in[b + 2];
    }
  }

  // Scan each group sequentially. The sum of each group is a leaf of the tree.
  step(Phase::fold);
  if (t < half) {
    p.y = op(p.x, p.y);
    p.z = op(p.y, p.z);
    p.w = op(p.z, p.w);
    temp[pad(t)] = p.w;
    q.y = op(q.x, q.y);
    q.z = op(q.y, q.z);
    q.w = op(q.z, q.w);
    temp[pad(t + half)] = q.w;
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
  if (t == 0) temp[pad(fours - 1)] = identity<T>();

  // Down-sweep: the left child gets its parent's prefix. The right child gets this prefix plus the left child's sum.
  for (int d = 1; d < fours; d *= 2) {
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

  // Each thread has the prefix sums of two groups. To these prefix sums, the thread adds the sum of all elements before the group. The prefix sums move one element to the right, because the scan is exclusive.
  __syncthreads();
  step(Phase::offset);
  if (t < half) {
    T before = temp[pad(t)];
    p.w = op(before, p.z);
    p.z = op(before, p.y);
    p.y = op(before, p.x);
    p.x = before;
    before = temp[pad(t + half)];
    q.w = op(before, q.z);
    q.z = op(before, q.y);
    q.y = op(before, q.x);
    q.x = before;
  }

  step(Phase::store);
  if (t < half) {
    const int a = 4 * t;
    if (a + 3 < n) {
      store_four(out, t, p);
    } else {
      if (a < n) out[a] = p.x;
      if (a + 1 < n) out[a + 1] = p.y;
      if (a + 2 < n) out[a + 2] = p.z;
    }
    const int b = 4 * (t + half);
    if (b + 3 < n) {
      store_four(out, t + half, q);
    } else {
      if (b < n) out[b] = q.x;
      if (b + 1 < n) out[b + 1] = q.y;
      if (b + 2 < n) out[b + 2] = q.z;
    }
  }
}
