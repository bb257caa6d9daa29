// Hillis-Steele scan
// Idea        At stride s, each thread adds the element s places to the left to its own element. After log2(n) strides, each
//             element holds the sum of all elements up to itself. The scan is exclusive if the load is shifted by one element.
// Gives       inclusive or exclusive scan
// Elements    1 per thread
// Variants    none
// Steps       log2(n)
// Operations  n * log2(n) - (n - 1)
// Span        log2(n)
// Watch       The scan takes few steps but much work. All threads must have read before any thread writes, so each stride takes two barriers.
// Source      [MIT] CUDA prefix sum step by step; [W4] week 4, Hwu; Hillis and Steele, Data Parallel Algorithms, 1986
template <class T>
__global__ void scan_hillis_steele(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int shift = exclusive ? 1 : 0;  // place i of an exclusive scan gets element i - 1, and place 0 gets the identity

  step(Phase::load);
  if (t < n) {
    T x = identity<T>();
    if (t > 0 || !exclusive) x = in[t - shift];
    temp[t] = x;
  }

  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    step(Phase::scan, stride);
    const bool works = t >= stride && t < n;
    T left = identity<T>();
    if (works) left = temp[t - stride];

    __syncthreads();
    step(Phase::scan, stride);
    if (works) {
      T right = temp[t];
      temp[t] = op(left, right);
    }
  }

  // No barrier is needed, because each thread loads the element that it stored itself.
  step(Phase::store);
  if (t < n) out[t] = temp[t];
}
