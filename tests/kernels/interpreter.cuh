// Actions that warps do together
// Idea        Every thread runs the program in the input. Each number is one instruction, and some lanes skip some instructions.
// Gives       copy
// Elements    any
// Blocks      any
// Names       threads = grid * block
// Buffers     results: threads, seen: threads words, counters: 8 words
// Shared      temp: block, marks: 8 words
// Launches    interpreter<<<grid, block>>>(in, results, seen, counters, n)
// Variants    none
// Steps       0
// Operations  0
// Watch       A lane that skips an instruction goes on to the next instruction immediately.
// Source      A test of the emulator.
template <class T>
__global__ void interpreter(Global<const T> in, Global<T> results, Global<unsigned> seen, Global<unsigned> counters,
                            int n) {
  Shared<T> temp;
  Shared<unsigned> marks(temp, blockDim.x);
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int me = blockIdx.x * blockDim.x + t;
  step(Phase::load);
  T x = in[me % n];
  unsigned word = me;
  if (t < 8) marks[t] = 0;
  __syncthreads();

  for (int i = 0; i < n; ++i) {
    T instruction = in[i];
    const int code = instruction.value;
    const int what = code & 15;
    const int k = code >> 4 & 31;
    const int skip = code >> 9 & 7;  // 0: all lanes take part; else only some lanes of each warp
    const bool takes_part = skip == 0 || (lane * 5 + warp + skip) % (skip + 1) != 0;
    const unsigned mask = __ballot_sync(0xffffffff, takes_part);
    if (what == 15) {
      __syncthreads();
      continue;
    }
    if (!takes_part) continue;
    if (what == 0) {
      x = __shfl_sync(mask, x, k + lane);
    } else if (what == 1) {
      T other = __shfl_up_sync(mask, x, k);
      x = op(other, x);
    } else if (what == 2) {
      T other = __shfl_down_sync(mask, x, k);
      x = op(x, other);
    } else if (what == 3) {
      x = __shfl_xor_sync(mask, x, k);
    } else if (what == 4) {
      word = __shfl_xor_sync(mask, word, k) + 1;
    } else if (what == 5) {
      word = word ^ __ballot_sync(mask, (word >> (k & 7) & 1) != 0);
    } else if (what == 6) {
      word = 2 * word + __any_sync(mask, word % 64 == static_cast<unsigned>(k));
    } else if (what == 7) {
      word = 2 * word + __all_sync(mask, word % 8 != static_cast<unsigned>(k & 7));
    } else if (what == 8) {
      word = word + __reduce_add_sync(mask, word);
    } else if (what == 9) {
      // Exchange through shared memory: each lane reads the value of a lane that takes part.
      temp[t] = x;
      __syncwarp(mask);
      int from = (lane + 1 + k) & 31;
      while ((mask >> from & 1) == 0) from = (from + 1) & 31;
      T other = temp[32 * warp + from];
      __syncwarp(mask);
      x = op(x, other);
    } else if (what == 10) {
      atomicAdd(&counters[k & 7], word & 15);
    } else if (what == 11) {
      atomicMax(&marks[k & 7], word & 255);
    } else if (what == 12) {
      // Each thread takes a number from the counter. The order of the threads is not fixed.
      const unsigned ticket = atomicAdd(&counters[0], 1u);
      __threadfence();
      if (ticket > 100000000u) word = 0;
    } else if (what == 13) {
      __syncwarp(mask);
    } else {
      if (lane % 3 == k % 3) __nanosleep(20);
    }
  }
  __syncthreads();
  step(Phase::store);
  results[me] = x;
  seen[me] = word + marks[me & 7];
}
