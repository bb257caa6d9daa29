// Ranks of marked elements in one launch
// Idea        Each tile tells the next tile how many marked elements come before the next tile. Each element gets its rank among the marked elements.
// Gives       copy
// Elements    1 per thread
// Blocks      any
// Variants    none
// Names       tiles = ceil_div(n, block)
// Inputs      in: n, marks: n words
// Outputs     out: n, ranks: n counts, by_digit: 4 counts
// Buffers     sums: tiles messages of counts
// Shared      warp_sums: 32 counts, before: 1 count
// Launches    clear<<<1, 32>>>(by_digit); rank_marked<<<tiles, block>>>(in, marks, out, ranks, by_digit, sums, run, n)
// Steps       1
// Operations  n
// Watch       The messages.
// Source      A test of counts in messages, shuffles and atomics.
template <class T>
__global__ void clear(Global<Count> by_digit) {
  if (threadIdx.x < 4) by_digit[threadIdx.x] = 0;
}

template <class T>
__global__ void rank_marked(Global<const T> in, Global<const unsigned> marks, Global<T> out, Global<Count> ranks, Global<Count> by_digit,
                            Global<volatile Message<Count>> sums, int run, int n) {
  Shared<Count> warp_sums;
  Shared<Count> before(warp_sums, 32);
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * blockDim.x + t, warps = blockDim.x / 32;
  step("count");
  unsigned mark = 0;
  if (i < n) mark = marks[i];
  const unsigned marked = __ballot_sync(~0u, mark % 2);
  if (lane == 0) warp_sums[warp] = __popc(marked);
  if (i < n) atomic_op(&by_digit[mark % 4], 1);
  __syncthreads();
  step("tell");
  if (t == 0) {
    Count total = 0;
    for (int w = 0; w < warps; ++w) {
      const Count of_warp = warp_sums[w];
      total = op(total, of_warp);
    }
    Count prefix = 0;
    if (blockIdx.x > 0) {
      Message<Count> message = sums[blockIdx.x - 1];
      while (message.mark != run) message = sums[blockIdx.x - 1];
      prefix = message.value;
    }
    sums[blockIdx.x] = Message<Count>{op(prefix, total), run};
    before[0] = prefix;
  }
  __syncthreads();
  step(Phase::store);
  Count rank = before[0];
  for (int w = 0; w < warp; ++w) {
    const Count of_warp = warp_sums[w];
    rank = op(rank, of_warp);
  }
  rank = op(rank, Count(__popc(marked & ((1u << lane) - 1))));
  const Count first = __shfl_sync(~0u, rank, 0), next = __shfl_down_sync(~0u, rank, 1), other = __shfl_xor_sync(~0u, rank, 1);
  if (first > rank || (lane < 31 && next < rank)) rank = other;  // never true, because ranks increase
  if (i < n) {
    ranks[i] = rank;
    out[i] = in[i];
  }
}
