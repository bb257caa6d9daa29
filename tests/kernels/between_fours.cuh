// Misaligned groups of four elements
// Idea        Each thread writes four elements at once. The array `fours` begins one element after the start of shared memory.
// Gives       copy
// Elements    any
// Shared      before: 1, fours: 4 * block
// Variants    none
// Steps       0
// Operations  0
// Watch       A sentence says why the run was stopped.
// Source      A test of the emulator.
template <class T>
__global__ void between_fours(Global<const T> in, Global<T> out, int n) {
  Shared<T> before;
  Shared<T> fours(before, 1);
  const int t = threadIdx.x;
  step(Phase::load);
  T x = in[t % n];
  if (t == 0) before[0] = x;
  out[t] = x;
  store_four(fours, t, {x, x, x, x});
}
