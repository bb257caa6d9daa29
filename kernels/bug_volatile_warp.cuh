// The last warp, with volatile instead of barriers
// Idea        From stride 32 on, only one warp works. On GPUs before Volta, the lanes of a warp ran in lockstep, so no barrier was needed: `volatile`
//             was enough, because it makes the lanes use shared memory instead of registers. Since Volta, a lane may run ahead of the other lanes.
// Gives       reduction
// Elements    2 per thread
// Needs       commutative
// Shared      temp: max(64, tree_width(n))
// Variants    none
// Steps       log2(n)
// Operations  n - 1
// Broken      shared race at "T far = tail[t + 16]"
// Right       reduce_sequential
// Watch       A lane may read a cell too late, after another lane has written the next sum into this cell. If the lanes run in lockstep,
//             there is no race. The kernel needs a __syncwarp() between reading and writing, and another __syncwarp() after each stride.
// Source      [CSDN] CUDA C (6), after Cheng et al.; [OF] OneFlow, 2021; Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 5
template <class T>
__global__ void bug_volatile_warp(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<volatile T> tail;  // the same memory as temp; because of volatile, no value stays in a register
  const int t = threadIdx.x;
  const int width = tree_width(n) < 64 ? 64 : tree_width(n);  // the number of leaves of the tree
  const int half = width / 2;                                 // the number of threads that work

  step(Phase::load);
  if (t < half) {
    T x = identity<T>(), y = identity<T>();
    if (t < n) x = in[t];
    if (t + half < n) y = in[t + half];
    temp[t] = x;
    temp[t + half] = y;
  }
  __syncthreads();

  for (int stride = half; stride > 32; stride /= 2) {
    step(Phase::reduce, stride);
    if (t < stride) {
      T near = temp[t];
      T far = temp[t + stride];
      temp[t] = op(near, far);
    }
    __syncthreads();
  }

  step(Phase::reduce, 32);
  if (t < 32) {
    T near = tail[t];
    T far = tail[t + 32];
    tail[t] = op(near, far);
  }

  step(Phase::reduce, 16);
  if (t < 32) {
    T near = tail[t];
    T far = tail[t + 16];
    tail[t] = op(near, far);
  }

  step(Phase::reduce, 8);
  if (t < 32) {
    T near = tail[t];
    T far = tail[t + 8];
    tail[t] = op(near, far);
  }

  step(Phase::reduce, 4);
  if (t < 32) {
    T near = tail[t];
    T far = tail[t + 4];
    tail[t] = op(near, far);
  }

  step(Phase::reduce, 2);
  if (t < 32) {
    T near = tail[t];
    T far = tail[t + 2];
    tail[t] = op(near, far);
  }

  step(Phase::reduce, 1);
  if (t < 32) {
    T near = tail[t];
    T far = tail[t + 1];
    tail[t] = op(near, far);
  }

  step(Phase::store);
  if (t == 0) out[0] = tail[0];
}
