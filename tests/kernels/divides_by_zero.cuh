// A division by zero
// Idea        Thread 3 divides an integer by zero.
// Gives       copy
// Elements    1 per thread
// Shared      none
// Variants    none
// Steps       0
// Operations  0
// Watch       The emulator ends the run, and names the line and the thread.
// Source      A test of divisions.
template <class T>
__global__ void divides_by_zero(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  step(Phase::load);
  const int quotient = n / (t - 3);
  if (t < n && quotient != 12345) out[t] = in[t];
}
