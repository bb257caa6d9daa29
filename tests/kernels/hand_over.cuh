// Block to block
// Idea        Each block polls the flag of the next block, so the blocks can finish only if they run at the same time.
// Gives       copy
// Elements    1 per thread
// Blocks      any
// Names       tiles = ceil_div(n, block)
// Buffers     done: tiles words
// Shared      none
// Launches    hand_over<<<tiles, block>>>(in, out, done, n)
// Variants    none
// Steps       0
// Operations  0
// Watch       The last block finishes first.
// Source      A test of interleaved blocks.
template <class T>
__global__ void hand_over(Global<const T> in, Global<T> out, Global<volatile unsigned> done, int n) {
  const int t = threadIdx.x;
  const int block = blockIdx.x;
  const int i = block * blockDim.x + t;
  step(Phase::load);
  // The last block does not wait.
  if (t == 0) {
    if (block + 1 < static_cast<int>(gridDim.x)) {
      while (done[block + 1] == 0) __nanosleep(20);
    }
  }
  __syncthreads();
  if (i < n) out[i] = in[i];
  __syncthreads();
  if (t == 0) done[block] = 1;
}
