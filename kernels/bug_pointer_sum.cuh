// A sum instead of a product
// Idea        Each block folds its own chunk in place. The chunk should begin at blockIdx.x * blockDim.x * 2, but the kernel
//             adds blockIdx.x instead of multiplying by blockIdx.x. So neighbouring chunks share all their elements except one.
// Gives       reduction
// Elements    2 per thread
// Blocks      any
// Threads     power of two
// Needs       commutative
// Names       chunks = ceil_div(n, 2 * block)
// Buffers     work: n, sums: chunks
// Shared      none
// Launches    copy_input<<<chunks, block>>>(in, work, n);
//             bug_pointer_sum<<<chunks, block>>>(work, sums, n);
//             add_sums<<<1, 32>>>(sums, out, chunks)
// Variants    none
// Steps       log2(n)
// Operations  n - 1
// Broken      global race at "T near = work[chunk + t]"; wrong result
// Right       reduce_global_in_place, fold 2
// Watch       Blocks write into each other's chunks in no fixed order, so the result can change from run
//             to run. The result is wrong in any order, because no block reads the beginning of the array.
// Source      [CSDN] CUDA C (6): unrolling loops and dynamic parallelism
template <class T>
__global__ void copy_input(Global<const T> in, Global<T> work, int n) {
  const int a = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  const int b = a + blockDim.x;
  step(Phase::load);
  if (a < n) work[a] = in[a];
  if (b < n) work[b] = in[b];
}

template <class T>
__global__ void bug_pointer_sum(Global<T> work, Global<T> sums, int n) {
  const int t = threadIdx.x;
  const int chunk = blockIdx.x + blockDim.x * 2;

  for (int stride = blockDim.x; stride > 0; stride /= 2) {
    __syncthreads();
    step(Phase::reduce, stride);
    if (t < stride && chunk + t + stride < n) {
      T near = work[chunk + t];
      T far = work[chunk + t + stride];
      work[chunk + t] = op(near, far);
    }
  }

  // No barrier is needed, because thread 0 loads a value that thread 0 of the same block stored.
  step(Phase::store);
  if (t == 0) {
    T sum = identity<T>();
    if (chunk < n) sum = work[chunk];
    sums[blockIdx.x] = sum;
  }
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
