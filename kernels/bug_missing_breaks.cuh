// A switch without breaks
// Idea        The host uses a switch to choose the kernel for the block size, but no case ends with a break. Without a break, a
//             switch runs all later cases, too. So the host also launches the kernels for all smaller block sizes, and each of these kernels folds the chunks again. The list of launches shows the mistake.
// Gives       reduction
// Elements    2 per thread
// Blocks      any
// Threads     power of two
// Needs       commutative
// Names       chunks = ceil_div(n, 2 * block)
// Buffers     work: n, sums: chunks
// Shared      none
// Launches    copy_input<<<chunks, block>>>(in, work, n);
//             bug_missing_breaks<<<chunks, block>>>(work, sums, 1024, n) if block >= 1024;
//             bug_missing_breaks<<<chunks, block>>>(work, sums, 512, n) if block >= 512;
//             bug_missing_breaks<<<chunks, block>>>(work, sums, 256, n) if block >= 256;
//             bug_missing_breaks<<<chunks, block>>>(work, sums, 128, n) if block >= 128;
//             bug_missing_breaks<<<chunks, block>>>(work, sums, 64, n) if block >= 64;
//             bug_missing_breaks<<<chunks, block>>>(work, sums, 32, n);
//             add_sums<<<1, 32>>>(sums, out, chunks)
// Variants    none
// Steps       log2(n)
// Operations  n - 1
// Broken      wrong result at "work[i] = op(near, far);"
// Right       reduce_global_in_place, fold 2
// Watch       After the first launch of bug_missing_breaks, all sums are right. Each later launch adds parts
//             of the chunks again. With blocks of 32 threads the result is right, because the switch has no case after the case 32.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism, after Cheng et al., Professional CUDA C Programming
template <class T>
__global__ void copy_input(Global<const T> in, Global<T> work, int n) {
  const int a = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  const int b = a + blockDim.x;
  step(Phase::load);
  if (a < n) work[a] = in[a];
  if (b < n) work[b] = in[b];
}

template <class T>
__global__ void bug_missing_breaks(Global<T> work, Global<T> sums, int size, int n) {
  const int t = threadIdx.x;
  const int chunk = blockIdx.x * blockDim.x * 2;

  // `size` should always be the block size. But the host also launches this kernel with smaller sizes.
  for (int stride = size; stride > 0; stride /= 2) {
    __syncthreads();
    step(Phase::reduce, stride);
    const int i = chunk + t;
    if (t < stride && i + stride < n) {
      T near = work[i], far = work[i + stride]; work[i] = op(near, far);
    }
  }

  // No barrier is needed, because thread 0 loads a value that thread 0 itself stored.
  step(Phase::store);
  if (t == 0) sums[blockIdx.x] = work[chunk];
}

template <class T>
__global__ void add_sums(Global<const T> sums, Global<T> out, int chunks) {
  step(Phase::fold);
  if (threadIdx.x == 0) {
    T sum = sums[0];
    for (int i = 1; i < chunks; ++i) {
      T x = sums[i];
      sum = op(sum, x);
    }
    out[0] = sum;
  }
}
