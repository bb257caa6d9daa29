// Double-buffer scan
// Idea        At each stride, read from one buffer and write to the other buffer. Then swap the buffers. So each stride takes one barrier instead of two. The scan is exclusive if the load is shifted by one element.
// Gives       inclusive or exclusive scan
// Elements    1 per thread
// Shared      temp: 2 buffers of n
// Variants    none
// Steps       log2(n)
// Operations  n * log2(n) - (n - 1)
// Span        log2(n)
// Watch       This scan takes twice the shared memory of scan_hillis_steele. At every stride, the scan writes every element, even elements that it only copies.
// Source      [GEMS] GPU Gems 3, ch. 39, listing 39-1; [W4] week 4, Hwu
template <class T>
__global__ void scan_double_buffer(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int shift = exclusive ? 1 : 0;  // place i of an exclusive scan gets element i - 1, and place 0 gets the identity
  int from = 0, to = n;                 // the indices of the first element of each buffer

  step(Phase::load);
  if (t < n) {
    T x = identity<T>();
    if (t > 0 || !exclusive) x = in[t - shift];
    temp[from + t] = x;
  }

  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    step(Phase::scan, stride);
    if (t < n) {
      T x = temp[from + t];
      if (t >= stride) {
        T left = temp[from + t - stride];
        x = op(left, x);
      }
      temp[to + t] = x;
    }
    from = n - from;
    to = n - to;
  }

  // No barrier is needed, because each thread loads the element that it stored itself.
  step(Phase::store);
  if (t < n) out[t] = temp[from + t];
}
