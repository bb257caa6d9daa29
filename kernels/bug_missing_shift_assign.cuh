// A stride that never shrinks
// Idea        The loop of this reduction has `stride >> 1` instead of `stride >>= 1`. This expression computes
//             half of the stride, but does not change the stride. So the loop runs forever with the same stride.
// Gives       reduction
// Elements    2 per thread
// Needs       commutative
// Variants    none
// Steps       log2(n)
// Operations  n - 1
// Broken      endless loop at "stride >> 1"
// Right       reduce_sequential
// Watch       The sums in the lower half grow without end. Upsweep stops the run and keeps the
//             recording up to this moment. Compilers warn that `stride >> 1` has no effect.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism
template <class T>
__global__ void bug_missing_shift_assign(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int half = tree_width(n) / 2;  // the number of threads that work

  step(Phase::load);
  if (t < half) {
    T x = identity<T>(), y = identity<T>();
    if (t < n) x = in[t];
    if (t + half < n) y = in[t + half];
    temp[t] = x;
    temp[t + half] = y;
  }

  for (int stride = half; stride > 0; stride >> 1) {
    __syncthreads();
    step(Phase::reduce, stride);
    if (t < stride) {
      T near = temp[t];
      T far = temp[t + stride];
      temp[t] = op(near, far);
    }
  }

  // No barrier is needed, because thread 0 loads a value that thread 0 itself stored.
  step(Phase::store);
  if (t == 0) out[0] = temp[0];
}
