// Correct kernels that look wrong: in shared memory and within warps.

// Each thread uses different cells, so no barrier is needed
// Shared  temp: n
template <class T>
__global__ void fine_own_cells(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    temp[t] = in[(t + round) % n];
    T x = temp[t];
    out[t] = x;
  }
}

// There is a barrier after each read and after each write
// Shared  temp: n
template <class T>
__global__ void fine_two_barriers(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    T right = temp[t];
    if (t >= stride) {
      T left = temp[t - stride];
      right = op(left, right);
    }
    __syncthreads();
    temp[t] = right;
  }
  out[t] = temp[t];
}

// With two buffers, one barrier per stride is enough
// Shared  temp: 2 buffers of n
template <class T>
__global__ void fine_double_buffer(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  int from = 0;
  temp[t] = in[t];
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    T x = temp[from * n + t];
    if (t >= stride) {
      T left = temp[from * n + t - stride];
      x = op(left, x);
    }
    from = 1 - from;
    temp[from * n + t] = x;
  }
  out[t] = temp[from * n + t];
}

// The last warp uses a warp barrier at each stride
// Shared  temp: n
template <class T>
__global__ void fine_warp_tail(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  if (t < 32) {
    T sum = temp[t];
    for (int stride = 16; stride > 0; stride /= 2) {
      if (t < stride) {
        T far = temp[t + stride];
        sum = op(sum, far);
        temp[t] = sum;
      }
      __syncwarp();
    }
    if (t == 0) out[0] = sum;
  }
}

// Each half of a warp has a separate barrier, and reads only cells that this half wrote
// Shared  temp: n
template <class T>
__global__ void fine_half_the_mask(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  if (t % 32 < 16) {
    temp[t] = in[t];
    __syncwarp(0xffff);
    T x = temp[t ^ 15];
    out[t] = x;
  } else {
    temp[t] = in[t];
    __syncwarp(0xffff0000);
    T x = temp[t ^ 15];
    if (t < n) out[t] = x;
  }
}

// Three warp barriers, each of two lanes, order the write of lane 0 before the read of lane 3
// Shared  temp: n
template <class T>
__global__ void fine_met_in_pairs(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  if (t < 4) {
    temp[t] = in[t];
    if (t < 2) __syncwarp(0x3);
    if (t == 1 || t == 2) __syncwarp(0x6);
    if (t >= 2) __syncwarp(0xc);
    if (t == 3) {
      T x = temp[0];
      out[0] = x;
    }
  }
}

// The lanes of a warp exchange values by shuffles, and the warps exchange sums through shared memory
// Shared  warp_sums: 32
template <class T>
__global__ void fine_warp_sums(Global<const T> in, Global<T> out, int n) {
  Shared<T> warp_sums;
  const int t = threadIdx.x;
  T sum = in[t];
  for (int distance = 16; distance > 0; distance /= 2) {
    T other = __shfl_xor_sync(0xffffffff, sum, distance);
    sum = op(sum, other);
  }
  if (t % 32 == 0) warp_sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = identity<T>();
    if (t < n / 32) sum = warp_sums[t];
    for (int distance = 16; distance > 0; distance /= 2) {
      T other = __shfl_xor_sync(0xffffffff, sum, distance);
      sum = op(sum, other);
    }
    if (t == 0) out[0] = sum;
  }
}

// The warp sums are written twice, with a barrier before the second write
// Shared  warp_sums: 32
template <class T>
__global__ void fine_warp_sums_twice(Global<const T> in, Global<T> out, int n) {
  Shared<T> warp_sums;
  const int t = threadIdx.x;
  T all = identity<T>();
  for (int round = 0; round < 2; ++round) {
    T x = in[(t + round) % n];
    if (t % 32 == 0) warp_sums[t / 32] = x;
    __syncthreads();
    T sum = warp_sums[0];
    all = op(all, sum);
    __syncthreads();
  }
  out[t] = all;
}

// A ballot returns the lanes that take a branch, and a shuffle in this branch uses these lanes as its mask
template <class T>
__global__ void fine_ballot(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t];
  const unsigned there = __ballot_sync(0xffffffff, t % 2 == 0);
  if (t % 2 == 0) {
    T first = __shfl_sync(there, x, 0);
    x = op(first, x);
  }
  if (t < n) out[t] = x;
}

// A shuffle moves values to higher lanes, and the lowest lanes keep their own values
template <class T>
__global__ void fine_shuffle_up(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t];
  for (int distance = 1; distance < 32; distance *= 2) {
    T left = __shfl_up_sync(0xffffffff, x, distance);
    if (t % 32 >= distance) x = op(left, x);
  }
  if (t < n) out[t] = x;
}

// All threads write the same value
// Shared  found: 1 word
template <class T>
__global__ void fine_same_value(Global<const T> in, Global<T> out, int n) {
  Shared<unsigned> found;
  const int t = threadIdx.x;
  if (t == 0) found[0] = 0;
  __syncthreads();
  if (t % 3 == 0) found[0] = 1;
  __syncthreads();
  if (found[0] == 1 && t < n) out[t] = in[t];
}

// A histogram with atomics
// Shared  bins: 8 words
template <class T>
__global__ void fine_histogram(Global<const T> in, Global<T> out, int n) {
  Shared<unsigned> bins;
  const int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[t % 8], 1u);
  atomicMax(&bins[t % 5], 2u);
  __syncthreads();
  const int most = bins[7];
  if (most <= n) out[t] = in[t];
}

// A counter in shared memory gives each thread its own cell
// Shared  temp: n, next: 1 word
template <class T>
__global__ void fine_places(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<unsigned> next(temp, n);
  const int t = threadIdx.x;
  if (t == 0) next[0] = 0;
  __syncthreads();
  const unsigned place = atomicAdd(&next[0], 1u);
  temp[place] = in[t];
  __syncthreads();
  out[t] = temp[t];
}

// One warp executes a fence and sets a flag, and another warp reads the flag and executes a fence
// Shared  temp: n, ready: 1 word
template <class T>
__global__ void fine_flag_between_warps(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<volatile unsigned> ready(temp, n);
  const int t = threadIdx.x;
  if (t == 0) ready[0] = 0;
  __syncthreads();
  if (t < 32) {
    temp[t] = in[t];
    __syncwarp();
    if (t == 0) {
      __threadfence_block();
      ready[0] = 1;
    }
  } else if (t < 64) {
    if (t == 32) {
      while (ready[0] == 0) __nanosleep(20);
      __threadfence_block();
    }
    __syncwarp();
    T x = temp[t - 32];
    out[t] = x;
  }
}

// The thread that writes the root also clears the root
// Shared  temp: n
template <class T>
__global__ void fine_root_cleared(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  if (t == 0) {
    T left = temp[n / 2 - 1];
    T right = temp[n - 1];
    temp[n - 1] = op(left, right);
  }
  if (t == 0) temp[n - 1] = identity<T>();
  __syncthreads();
  out[t] = temp[t];
}

// A barrier in a branch that all threads take, and in a loop that all threads leave together
// Shared  temp: n
template <class T>
__global__ void fine_uniform_branch(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  if (n > 3) {
    for (int i = 0; i < n % 7; ++i) __syncthreads();
    __syncthreads();
  }
  T x = temp[(t + 1) % n];
  out[t] = x;
}

// If a block has no elements, all its threads return
// Shared  temp: block
// Run     n 100, block 64
// Launches fine_block_leaves<<<4, block>>>(in, out, n)
template <class T>
__global__ void fine_block_leaves(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int first = blockIdx.x * blockDim.x;
  if (first >= n) return;
  T x = identity<T>();
  if (first + t < n) x = in[first + t];
  temp[t] = x;
  __syncthreads();
  T y = temp[t ^ 1];
  if (first + t < n) out[first + t] = y;
}

// Threads return after the last barrier
// Shared  temp: n
template <class T>
__global__ void fine_late_return(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  if (t >= n / 2) return;
  T far = temp[t + n / 2];
  out[t] = far;
}
