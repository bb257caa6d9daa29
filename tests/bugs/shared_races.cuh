// Races in shared memory. Each case has one race. docs/hazards.md describes the format of these files.

// The element of another thread is read before it is written
// Broken  shared race at "T x = temp[n - 1 - t]"
// Shared  temp: n
template <class T>
__global__ void race_no_barrier_after_load(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  T x = temp[n - 1 - t];
  out[t] = x;
}

// The kernel has one barrier per stride, but needs two barriers
// Broken  shared race at "T left = temp[t - stride]"
// Shared  temp: n
template <class T>
__global__ void race_one_barrier_per_stride(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    if (t >= stride) {
      T left = temp[t - stride];
      T right = temp[t];
      temp[t] = op(left, right);
    }
  }
  out[t] = temp[t];
}

// The kernel has two buffers, but always reads the left value from the first buffer
// Broken  shared race at "T left = temp[t - stride]"
// Shared  temp: 2 buffers of n
template <class T>
__global__ void race_double_buffer_not_swapped(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  int from = 0;
  temp[t] = in[t];
  temp[n + t] = in[t];
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    T x = temp[from * n + t];
    if (t >= stride) {
      T left = temp[t - stride];
      x = op(left, x);
    }
    temp[from * n + t] = x;
    from = 1 - from;
  }
  out[t] = temp[t];
}

// A reduction has no barrier between its strides
// Broken  shared race at "T far = temp[t + stride]"
// Shared  temp: n
template <class T>
__global__ void race_no_barrier_between_strides(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  for (int stride = n / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      T near = temp[t];
      T far = temp[t + stride];
      temp[t] = op(near, far);
    }
  }
  if (t == 0) out[0] = temp[0];
}

// The last strides have no barrier, as if the lanes of a warp ran in lockstep
// Broken  shared race at "T far = temp[t + stride]"
// Since   Volta
// Shared  temp: n
template <class T>
__global__ void race_barrier_saved_in_last_warp(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  for (int stride = n / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      T near = temp[t];
      T far = temp[t + stride];
      temp[t] = op(near, far);
    }
    if (stride >= 32) __syncthreads();
  }
  if (t == 0) out[0] = temp[0];
}

// The first stride has no barrier
// Broken  shared race at "T far = temp[t + stride]"
// Shared  temp: n
template <class T>
__global__ void race_barrier_of_first_stride_saved(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  for (int stride = n / 2; stride > 0; stride /= 2) {
    if (stride < n / 2) __syncthreads();
    if (t < stride) {
      T near = temp[t];
      T far = temp[t + stride];
      temp[t] = op(near, far);
    }
  }
  if (t == 0) out[0] = temp[0];
}

// The memory is used again while other threads still read it
// Broken  shared race at "temp[t] = y"
// Shared  temp: n
template <class T>
__global__ void race_memory_used_again(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  T x = temp[n - 1 - t];
  T y = in[(t + 1) % n];
  temp[t] = y;
  __syncthreads();
  T z = temp[(t + 7) % n];
  out[t] = op(x, z);
}

// One thread writes for all threads, but the other threads do not wait
// Broken  shared race at "T x = temp[0]"
// Shared  temp: 1
template <class T>
__global__ void race_broadcast(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  if (t == 0) temp[0] = in[n - 1];
  T x = temp[0];
  out[t] = x;
}

// The warps' sums are read before all warps have written
// Broken  shared race at "x = warp_sums[t]"
// Shared  warp_sums: 32
template <class T>
__global__ void race_warp_sums_without_barrier(Global<const T> in, Global<T> out, int n) {
  Shared<T> warp_sums;
  const int t = threadIdx.x;
  T sum = in[t];
  for (int distance = 16; distance > 0; distance /= 2) {
    T other = __shfl_xor_sync(0xffffffff, sum, distance);
    sum = op(sum, other);
  }
  if (t % 32 == 0) warp_sums[t / 32] = sum;
  if (t < 32) {
    T x = identity<T>();
    if (t < n / 32) x = warp_sums[t];
    for (int distance = 16; distance > 0; distance /= 2) {
      T other = __shfl_xor_sync(0xffffffff, x, distance);
      x = op(x, other);
    }
    if (t == 0) out[0] = x;
  }
}

// Threads write the warp sums of the second reduction while threads still read the first warp sums
// Broken  shared race at "if (t % 32 == 0) warp_sums[t / 32] = x"
// Shared  warp_sums: 32
template <class T>
__global__ void race_warp_sums_reused(Global<const T> in, Global<T> out, int n) {
  Shared<T> warp_sums;
  const int t = threadIdx.x;
  T all = identity<T>();
  for (int round = 0; round < 2; ++round) {
    T x = in[(t + round) % n];
    if (t % 32 == 0) warp_sums[t / 32] = x;
    __syncthreads();
    T sum = warp_sums[0];
    all = op(all, sum);
  }
  out[t] = all;
}

// All threads write one cell
// Broken  shared race at "temp[0] = in[t]"
// Shared  temp: 1
template <class T>
__global__ void race_one_cell_for_all(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[0] = in[t];
  __syncthreads();
  if (t < n) out[t] = temp[0];
}

// A histogram counts without atomics
// Broken  shared race at "const unsigned before = bins[t % 4]"
// Shared  bins: 4 words
template <class T>
__global__ void race_histogram_without_atomics(Global<const T> in, Global<T> out, int n) {
  Shared<unsigned> bins;
  const int t = threadIdx.x;
  if (t < 4) bins[t] = 0;
  __syncthreads();
  const unsigned before = bins[t % 4];
  bins[t % 4] = before + 1;
  __syncthreads();
  const int most = bins[0];
  if (t < most && t < n) out[t] = in[t];
}

// The kernel uses a warp barrier, but needs a block barrier
// Broken  shared race at "T x = temp[n - 1 - t]"
// Shared  temp: n
template <class T>
__global__ void race_syncwarp_across_warps(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncwarp();
  T x = temp[n - 1 - t];
  out[t] = x;
}

// The last warp assumes that its lanes run in lockstep
// Broken  shared race at "T far = temp[t + stride]"
// Since   Volta
// Shared  temp: n
template <class T>
__global__ void race_warp_tail_without_syncwarp(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  if (t < 32) {
    for (int stride = 32; stride > 0; stride /= 2) {
      if (t < stride) {
        T near = temp[t];
        T far = temp[t + stride];
        temp[t] = op(near, far);
      }
    }
    if (t == 0) out[0] = temp[0];
  }
}

// The last warp assumes that volatile orders the accesses of its lanes
// Broken  shared race at "T far = tail[t + stride]"
// Since   Volta
// Shared  temp: n
template <class T>
__global__ void race_warp_tail_volatile(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<volatile T> tail;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  if (t < 32) {
    for (int stride = 32; stride > 0; stride /= 2) {
      if (t < stride) {
        T near = tail[t];
        T far = tail[t + stride];
        tail[t] = op(near, far);
      }
    }
    if (t == 0) out[0] = tail[0];
  }
}

// Half a warp has a barrier, but reads what the other half wrote
// Broken  shared race at "T x = temp[t + 16]"
// Since   Volta
// Shared  temp: n
template <class T>
__global__ void race_half_the_mask(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  if (t < 16) {
    __syncwarp(0xffff);
    T x = temp[t + 16];
    out[t] = x;
  }
}
