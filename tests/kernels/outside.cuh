// Beyond the memory
// Idea        Threads read before the beginning and beyond the end of arrays, and write beyond the end.
// Gives       copy
// Elements    1 per thread
// Shared      temp: n, marks: 4 words
// Variants    none
// Steps       0
// Operations  0
// Watch       Reads return zeros, writes do nothing, and the run goes on.
// Source      A test of the emulator.
template <class T>
__global__ void outside(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<unsigned> marks(temp, n);
  const int t = threadIdx.x;
  step(Phase::load);
  if (t < 4) marks[t] = 1;
  T x = in[t - 1];
  temp[t] = x;
  T y = temp[t - n];
  unsigned mark = marks[t];
  if (mark == 0) out[t + n] = y;
  out[t] = op(x, y);
}
