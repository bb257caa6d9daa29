// Warp shuffle scan
// Idea        At stride s, each lane adds the sum of the lane s places to its left. A shuffle reads this sum directly from the other
//             lane's register. Shared memory carries one sum from each warp to the first warp, which scans these sums in the same way.
// Gives       inclusive or exclusive scan
// Elements    1 per thread
// Shared      warp_sums: 32
// Variants    none
// Steps       10 + (block > 32)
// Operations  129 * (block / 32 + 1) + block - 32
// Span        10 + (block > 544)
// Watch       Within a warp, the scan needs no barrier and no shared memory, so there are no conflicts. Two barriers in all are enough. Each warp's scan takes
//             129 operations on 32 elements, and the scan of the warps' sums takes 129 more. One lane alone would need only 31, but the other lanes would then do nothing.
// Source      Kogge and Stone, A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence Equations, 1973; CUDA C++
//             Programming Guide, warp shuffle functions
template <class T>
__global__ void scan_warp_shuffle(Global<const T> in, Global<T> out, int n) {
  Shared<T> warp_sums;
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int warps = blockDim.x / 32;
  const int shift = exclusive ? 1 : 0;  // place i of an exclusive scan gets element i - 1, and place 0 gets the identity

  step(Phase::load);
  T sum = identity<T>();
  if (t < n && (t > 0 || !exclusive)) sum = in[t - shift];

  // Each warp scans its elements. All lanes take part in the shuffle; the first `stride` lanes have no partner.
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
    T left = __shfl_up_sync(0xffffffff, sum, stride);
    if (lane >= stride) sum = op(left, sum);
  }
  if (lane == 31) warp_sums[warp] = sum;

  // The first warp scans the sums of all warps. The first warp uses the identity for warps that the block does not have.
  __syncthreads();
  step(Phase::load);
  T warp_sum = identity<T>();
  if (t < warps) warp_sum = warp_sums[t];
  for (int stride = 1; stride < 32; stride *= 2) {
    step(Phase::scan, stride);
    if (warp == 0) {
      T left = __shfl_up_sync(0xffffffff, warp_sum, stride);
      if (lane >= stride) warp_sum = op(left, warp_sum);
    }
  }
  if (t < warps) warp_sums[t] = warp_sum;

  // Every warp except the first warp adds the sum of all earlier warps.
  __syncthreads();
  step(Phase::offset);
  if (warp > 0) {
    T before = warp_sums[warp - 1];
    sum = op(before, sum);
  }

  step(Phase::store);
  if (t < n) out[t] = sum;
}
