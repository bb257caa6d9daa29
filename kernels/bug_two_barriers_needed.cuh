// One barrier where two are needed
// Idea        Hillis-Steele in place, with one barrier per stride: all threads have written before any reads the next stride, but no thread waits until
//             the others have read before it writes.
// Gives       inclusive scan
// Elements    1 per thread
// Variants    none
// Steps       log2(n)
// Operations  n * log2(n) - (n - 1)
// Broken      shared race at "T left = temp[t - stride]"
// Right       scan_hillis_steele
// Watch       A thread whose partner was faster reads this stride's sum instead of the last stride's. Lanes in lockstep do no harm; between warps it
//             depends on which runs first. Either a second barrier or a second buffer mends it.
// Source      Our own; see also scan_double_buffer
template <class T>
__global__ void bug_two_barriers_needed(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;

  step(Phase::load);
  if (t < n) temp[t] = in[t];

  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    step(Phase::scan, stride);
    if (t >= stride && t < n) {
      T left = temp[t - stride];
      T right = temp[t];
      temp[t] = op(left, right);
    }
  }

  // No barrier: each thread itself wrote its element last.
  step(Phase::store);
  if (t < n) out[t] = temp[t];
}
