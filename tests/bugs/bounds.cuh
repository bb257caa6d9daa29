// Accesses out of bounds, and reads of cells that no thread wrote.

// The last thread reads one cell too many
// Broken  out of bounds at "T right = temp[t + 1]"
// Shared  temp: n
template <class T>
__global__ void bounds_one_too_many(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  T x = temp[t];
  T right = temp[t + 1];
  if (t < n) out[t] = op(x, right);
}

// The first thread reads before the beginning
// Broken  out of bounds at "T left = temp[t - 1]"
// Shared  temp: n
template <class T>
__global__ void bounds_before_the_beginning(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  T left = temp[t - 1];
  if (t < n) out[t] = left;
}

// The reverse phase writes index + stride, but checks index
// Broken  out of bounds at "temp[index + stride] = op(left, right)"
// Shared  temp: n
template <class T>
__global__ void bounds_reverse_overrun(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  for (int stride = n / 4; stride > 0; stride /= 2) {
    __syncthreads();
    const int index = (t + 1) * stride * 2 - 1;
    if (index < n) {
      T left = temp[index];
      T right = identity<T>();
      if (index + stride < n) right = temp[index + stride];
      temp[index + stride] = op(left, right);
    }
  }
  __syncthreads();
  out[t] = temp[t];
}

// Indices of one array are so large that they access the next array
// Broken  out of bounds at "temp[2 * t] = x"
// Shared  temp: n, sums: n
template <class T>
__global__ void bounds_into_the_next_array(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<T> sums(temp, n);
  const int t = threadIdx.x;
  T x = in[t];
  sums[t] = x;
  __syncthreads();
  temp[2 * t] = x;
  __syncthreads();
  if (t < n / 2) out[t] = sums[t];
}

// Indices contain padding, but the memory is too small for the padding
// Broken  out of bounds at "temp[t + (t >> 5)] = in[t]"
// Shared  temp: n
template <class T>
__global__ void bounds_no_room_for_padding(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t + (t >> 5)] = in[t];
  __syncthreads();
  if (t < n / 2) out[t] = temp[t + (t >> 5)];
}

// An index beyond the last bin of the histogram
// Broken  out of bounds at "atomicAdd(&bins[t % 5], 1u)"
// Shared  bins: 4 words
template <class T>
__global__ void bounds_bin_too_many(Global<const T> in, Global<T> out, int n) {
  Shared<unsigned> bins;
  const int t = threadIdx.x;
  if (t < 4) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[t % 5], 1u);
  __syncthreads();
  const int first = bins[0];
  if (first <= n) out[t] = in[t];
}

// Threads beyond n write
// Broken  out of bounds at "out[t] = x"
// Run     n 100, block 128
template <class T>
__global__ void bounds_unguarded_store(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = identity<T>();
  if (t < n) x = in[t];
  out[t] = x;
}

// Threads beyond n read
// Broken  out of bounds at "T x = in[t]"
// Run     n 100, block 128
template <class T>
__global__ void bounds_unguarded_load(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t];
  if (t < n) out[t] = x;
}

// The last block's tile ends beyond the array
// Broken  out of bounds at "T second = in[i + blockDim.x]"
// Run     n 230, block 64
// Launches bounds_second_half_unguarded<<<2, block>>>(in, out, n)
template <class T>
__global__ void bounds_second_half_unguarded(Global<const T> in, Global<T> out, int n) {
  const int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  if (i < n) {
    T first = in[i];
    T second = in[i + blockDim.x];
    out[i] = op(first, second);
  }
}

// Threads load four elements at a time, but the last group has fewer than four
// Broken  out of bounds at "Four<T> q = load_four(in, t)"
// Run     n 101, block 32
template <class T>
__global__ void bounds_last_four(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  if (4 * t < n) {
    Four<T> q = load_four(in, t);
    out[t] = op(q.x, q.w);
  }
}

// Each block stores a sum, but the buffer has fewer sums than blocks
// Broken  out of bounds at "sums[blockIdx.x] = x"
// Buffers sums: 3
// Run     n 256, block 64
// Launches bounds_one_sum_missing<<<4, block>>>(in, out, sums)
template <class T>
__global__ void bounds_one_sum_missing(Global<const T> in, Global<T> out, Global<T> sums) {
  if (threadIdx.x == 0) {
    T x = in[blockIdx.x * blockDim.x];
    sums[blockIdx.x] = x;
    out[blockIdx.x] = x;
  }
}

// Each block reads the flag of the previous block, but the first block has no previous block
// Broken  out of bounds at "const unsigned before = flags[static_cast<int>(blockIdx.x) - 1]"
// Buffers flags: 4 words
// Run     n 256, block 64
// Launches bounds_flag_before_the_first<<<4, block>>>(in, out, flags, n)
template <class T>
__global__ void bounds_flag_before_the_first(Global<const T> in, Global<T> out, Global<volatile unsigned> flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    const unsigned before = flags[static_cast<int>(blockIdx.x) - 1];
    if (before == 0) flags[blockIdx.x] = 1;
  }
  if (i < n) out[i] = in[i];
}

// An atomic accesses a cell beyond the end of its buffer
// Broken  out of bounds at "atomicMax(&counts[t % 9], 1u)"
// Buffers counts: 8 words
// Launches bounds_atomic_beyond<<<1, block>>>(in, out, counts)
template <class T>
__global__ void bounds_atomic_beyond(Global<const T> in, Global<T> out, Global<unsigned> counts) {
  const int t = threadIdx.x;
  atomicMax(&counts[t % 9], 1u);
  out[t] = in[t];
}

// Threads load half the cells, but use all cells
// Broken  uninitialised read at "T far = temp[t + n / 2]"
// Shared  temp: n
template <class T>
__global__ void unwritten_half(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  if (t < n / 2) temp[t] = in[t];
  __syncthreads();
  if (t < n / 2) {
    T near = temp[t];
    T far = temp[t + n / 2];
    out[t] = op(near, far);
  }
}

// Cells beyond n do not hold the identity
// Broken  uninitialised read at "T far = temp[t + stride]"
// Shared  temp: block
// Run     n 100, block 128
template <class T>
__global__ void unwritten_tail(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  if (t < n) temp[t] = in[t];
  for (int stride = threads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride && t + stride < threads) {
      T near = temp[t];
      T far = temp[t + stride];
      temp[t] = op(near, far);
    }
  }
  if (t == 0) out[0] = temp[0];
}

// More warp sums are read than there are warps
// Broken  uninitialised read at "if (t < 32) x = warp_sums[t]"
// Shared  warp_sums: 32
template <class T>
__global__ void unwritten_warp_sums(Global<const T> in, Global<T> out, int n) {
  Shared<T> warp_sums;
  const int t = threadIdx.x;
  T x = in[t];
  if (t % 32 == 0) warp_sums[t / 32] = x;
  __syncthreads();
  if (t < 32) x = warp_sums[t];
  if (t < n) out[t] = x;
}

// A kernel adds to scratch memory that it never initialised
// Broken  uninitialised read at "T sum = sums[t]"
// Buffers sums: n
// Launches unwritten_scratch<<<1, block>>>(in, out, sums)
template <class T>
__global__ void unwritten_scratch(Global<const T> in, Global<T> out, Global<T> sums) {
  const int t = threadIdx.x;
  T x = in[t];
  T sum = sums[t];
  sums[t] = op(sum, x);
  out[t] = x;
}

// The kernel assumes that the output is zero
// Broken  uninitialised read at "T so_far = out[t]"
template <class T>
__global__ void unwritten_output(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  if (t < n) {
    T x = in[t];
    T so_far = out[t];
    out[t] = op(so_far, x);
  }
}

// The bins in shared memory are never set to zero
// Broken  uninitialised read at "atomicAdd(&bins[t % 4], 1u)"
// Shared  bins: 4 words
template <class T>
__global__ void unwritten_bins(Global<const T> in, Global<T> out, int n) {
  Shared<unsigned> bins;
  const int t = threadIdx.x;
  atomicAdd(&bins[t % 4], 1u);
  __syncthreads();
  const int first = bins[0];
  if (first != n + 1) out[t] = in[t];
}

// The second buffer is read before it is written
// Broken  uninitialised read at "T x = temp[n + t]"
// Shared  temp: 2 buffers of n
template <class T>
__global__ void unwritten_buffer(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  T x = temp[n + t];
  out[t] = x;
}

// An atomic sum begins with an uninitialised value
// Broken  uninitialised read at "atomic_op(&out[0], x)"
// Needs   scalar
template <class T>
__global__ void unwritten_sum(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t];
  if (t < n) atomic_op(&out[0], x);
}

// One block does not store its sum
// Broken  uninitialised read at "T sum = sums[t]"
// Buffers sums: 4
// Run     n 256, block 64
// Launches unwritten_make_sums<<<3, block>>>(in, sums); unwritten_sum_of_a_block<<<1, 32>>>(sums, out)
template <class T>
__global__ void unwritten_make_sums(Global<const T> in, Global<T> sums) {
  if (threadIdx.x == 0) sums[blockIdx.x] = in[blockIdx.x * blockDim.x];
}

template <class T>
__global__ void unwritten_sum_of_a_block(Global<const T> sums, Global<T> out) {
  const int t = threadIdx.x;
  if (t < 4) {
    T sum = sums[t];
    out[t] = sum;
  }
}
