// Vectorized reduction
// Idea        Each thread has several wide loads in flight at once, and keeps its sum in a register. Shuffles combine
//             the sums, and one launch is enough. The remaining time is the time that memory takes to deliver the array.
// Gives       reduction
// Elements    any
// Blocks      any
// Threads     usually 1024
// Needs       commutative
// Names       blocks = min(grid, ceil_div(n, 4 * in_flight * block))
// Buffers     sums: blocks messages
// Shared      warp_sums: 32
// Launches    reduce_vectorized<<<blocks, block>>>(in, out, sums, run, n)
// Variants    in_flight 4|1|2|8
// Tuning      in_flight 8, 512 threads
// Steps       22
// Operations  n + blocks + (blocks + 1) * 5 * (block + 32)
// Span        (n < 4 ? 1 : ceil_div(n / 4, blocks * block) + 2) + 20 + ceil_div(blocks, block)
// Watch       A load fetches 16 bytes for a lane and 512 bytes for a warp (float16: half of this). Memory answers after hundreds of cycles. By Little's law,
//             memory is busy only if each SM (multiprocessor) has kilobytes in flight. Many warps, or several loads in each thread, make this possible.
// Source      [+] Little's law; Luitjens, Faster Parallel Reductions on Kepler, 2014
template <class T>
__global__ void reduce_vectorized(Global<const T> in, Global<T> out, Global<volatile Message<T>> sums, int run,
                                  int n) {
  Shared<T> warp_sums;
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int blocks = gridDim.x;
  const int first = blockIdx.x * threads + t;
  const int all = blocks * threads;  // the number of threads in the grid
  const int fours = n / 4;

  // In each iteration, all loads come before the first addition. in_flight is a constant, so the compiler unrolls the loops.
  step(Phase::fold);
  T sum = identity<T>();
  for (int i = first; i < fours; i += in_flight * all) {
    if (i + (in_flight - 1) * all < fours) {
      Four<T> q[8];
      for (int k = 0; k < in_flight; ++k) q[k] = load_four(in, i + k * all);
      for (int k = 0; k < in_flight; ++k) {
        T left = op(q[k].x, q[k].y);
        T right = op(q[k].z, q[k].w);
        sum = op(sum, op(left, right));
      }
    } else {  // the last loads of the thread: fewer than in_flight
      for (int j = i; j < fours; j += all) {
        Four<T> q = load_four(in, j);
        T left = op(q.x, q.y);
        T right = op(q.z, q.w);
        sum = op(sum, op(left, right));
      }
    }
  }
  // The last elements, at most three, do not fill a group of four.
  if (4 * fours + first < n) {
    T x = in[4 * fours + first];
    sum = op(sum, x);
  }

  // Each warp adds up its lanes' sums with shuffles. Then the first warp adds up the warps' sums.
  for (int distance = 16; distance > 0; distance /= 2) {
    step(Phase::reduce, distance);
    T other = __shfl_xor_sync(0xffffffff, sum, distance);
    sum = op(sum, other);
  }
  if (t % 32 == 0) warp_sums[t / 32] = sum;
  __syncthreads();
  step(Phase::load);
  if (t < 32) {
    sum = identity<T>();
    if (t < threads / 32) sum = warp_sums[t];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    step(Phase::reduce, distance);
    if (t < 32) {
      T other = __shfl_xor_sync(0xffffffff, sum, distance);
      sum = op(sum, other);
    }
  }

  // Each block sends its sum with the mark of this run. The block with the last index waits for all other blocks. These other blocks have started before this block,
  // because the GPUs that we measured start blocks in index order. CUDA does not promise this order.
  const int number = blockIdx.x;
  step(Phase::publish);
  if (t == 0) sums[number] = {sum, run};
  if (number == blocks - 1) {
    step(Phase::look_back);
    sum = identity<T>();
    for (int i = t; i < blocks; i += threads) {
      Message<T> other = sums[i];
      while (other.mark != run) other = sums[i];
      sum = op(sum, other.value);
    }
    __syncwarp();  // not needed for the result. After this barrier, the compiler knows that the lanes have converged, so shuffles are faster
    for (int distance = 16; distance > 0; distance /= 2) {
      step(Phase::reduce, distance);
      T other = __shfl_xor_sync(0xffffffff, sum, distance);
      sum = op(sum, other);
    }
    __syncthreads();
    if (t % 32 == 0) warp_sums[t / 32] = sum;
    __syncthreads();
    step(Phase::load);
    if (t < 32) {
      sum = identity<T>();
      if (t < threads / 32) sum = warp_sums[t];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      step(Phase::reduce, distance);
      if (t < 32) {
        T other = __shfl_xor_sync(0xffffffff, sum, distance);
        sum = op(sum, other);
      }
    }
    step(Phase::store);
    if (t == 0) out[0] = sum;
  }
}
