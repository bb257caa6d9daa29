// A semicolon after a loop
// Idea        This reduction has a semicolon after the head of its loop, so the loop is
//             empty. The code in the braces after the loop runs once, with a stride of 0.
// Gives       reduction
// Elements    2 per thread
// Needs       commutative
// Variants    none
// Steps       log2(n)
// Operations  n - 1
// Broken      wrong result at "out[0] = temp[0]"
// Right       reduce_sequential
// Watch       No thread adds an element, so the result is the first element. The code compiles
//             because `stride` is declared before the loop, and so it also exists after the loop.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism
template <class T>
__global__ void bug_stray_semicolon(Global<const T> in, Global<T> out, int n) {
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

  int stride;
  for (stride = half; stride > 0; stride /= 2);
  {
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
