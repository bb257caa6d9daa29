// Sklansky scan
// Idea        At each stride, two neighbouring groups of prefix sums become one group: the last sum of the left group
//             is added to every sum of the right group. The scan is exclusive if the load is shifted by one element.
// Gives       inclusive or exclusive scan
// Elements    2 per thread
// Variants    none
// Steps       log2(n)
// Operations  n / 2 * log2(n)
// Span        log2(n)
// Watch       This scan and scan_hillis_steele take the same number of steps. But this scan takes about half the operations and one barrier per stride, because no thread reads
//             what another thread writes at the same stride. The price is fan-out: at the last stride, n/2 threads read the same word. Within a warp, this read is a broadcast.
// Source      [+] Sklansky, Conditional-Sum Addition Logic, 1960; Ladner and Fischer, Parallel Prefix Computation, 1980
template <class T>
__global__ void scan_sklansky(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int width = tree_width(n);      // n rounded up to a power of two, at least 2
  const int half = width / 2;           // the number of threads that work
  const int shift = exclusive ? 1 : 0;  // place i of an exclusive scan gets element i - 1, and place 0 gets the identity

  // Each thread loads two elements, or the identity beyond the end of the array.
  step(Phase::load);
  if (t < half) {
    T x = identity<T>(), y = identity<T>();
    if (t < n && (t > 0 || !exclusive)) x = in[t - shift];
    if (t + half < n) y = in[t + half - shift];
    temp[t] = x;
    temp[t + half] = y;
  }

  // A group has 2 * stride elements. Thread t works on element t % stride of the upper half of group t / stride.
  for (int stride = 1; stride < width; stride *= 2) {
    __syncthreads();
    step(Phase::scan, stride);
    if (t < half) {
      const int middle = t / stride * stride * 2 + stride;  // the first element of the upper half
      T left = temp[middle - 1];
      T right = temp[middle + t % stride];
      temp[middle + t % stride] = op(left, right);
    }
  }

  // No barrier is needed, because the last stride did not change the lower half, and thread t itself stored element t + half.
  step(Phase::store);
  if (t < half) {
    if (t < n) out[t] = temp[t];
    if (t + half < n) out[t + half] = temp[t + half];
  }
}
