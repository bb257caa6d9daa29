// Block to block
// Idea        Each block waits, spinning, for the one before it: only blocks that run at the same time finish.
// Gives       inclusive scan
// Elements    1 per thread
// Variants    none
// Steps       1
// Operations  n
// Watch       The blocks.
// Source      A test of interleaved blocks.
template <class T>
__global__ void hand_over(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  const int block = blockIdx.x;
  step(Phase::load);
  if (t == 0) {
    // Block b may go on once the block after it has written: the last one begins.
    if (block + 1 < static_cast<int>(gridDim.x)) {
      T seen = out[block + 1];
      while (bits(seen.value)[0] == 0) {
        __nanosleep(20);
        seen = out[block + 1];
      }
    }
    out[block] = in[block % n];
  }
}
