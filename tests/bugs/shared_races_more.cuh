// More races in shared memory: atomics, flags, vectors, and several arrays.

// A shuffle brings lanes together, but does not order memory accesses
// Broken  shared race at "T y = temp[t ^ 1]"
// Since   Volta
// Shared  temp: n
template <class T>
__global__ void race_shuffle_is_no_barrier(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  T x = in[t];
  temp[t] = x;
  T other = __shfl_xor_sync(0xffffffff, x, 1);
  T y = temp[t ^ 1];
  out[t] = op(other, y);
}

// An array is reversed in place
// Broken  shared race at "temp[t] = x"
// Shared  temp: n
template <class T>
__global__ void race_reversed_in_place(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  T x = temp[n - 1 - t];
  temp[t] = x;
  __syncthreads();
  out[t] = temp[t];
}

// A warp rotates its elements in place
// Broken  shared race at "temp[t] = x"
// Since   Volta
// Shared  temp: n
template <class T>
__global__ void race_rotated_in_place(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int first = t / 32 * 32;
  temp[t] = in[t];
  __syncthreads();
  T x = temp[first + (t + 1) % 32];
  temp[t] = x;
  __syncthreads();
  out[t] = temp[t];
}

// The counter is read while other threads still count
// Broken  shared race at "const int counted = count[0]"
// Shared  count: 1 word
template <class T>
__global__ void race_count_read_early(Global<const T> in, Global<T> out, int n) {
  Shared<unsigned> count;
  const int t = threadIdx.x;
  if (t == 0) count[0] = 0;
  __syncthreads();
  atomicAdd(&count[0], 1u);
  const int counted = count[0];
  if (counted <= n) out[t] = in[t];
}

// The counter is set to zero while other threads already count
// Broken  shared race at "count[0] = 0"
// Shared  count: 1 word
template <class T>
__global__ void race_count_cleared_late(Global<const T> in, Global<T> out, int n) {
  Shared<unsigned> count;
  const int t = threadIdx.x;
  if (t == 0) count[0] = 0;
  atomicAdd(&count[0], 1u);
  __syncthreads();
  const int counted = count[0];
  if (counted <= n) out[t] = in[t];
}

// Cells are read before all groups of four elements are stored
// Broken  shared race at "T x = temp[(t + 4) % n]"
// Shared  temp: n
template <class T>
__global__ void race_vectors_without_barrier(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  if (4 * t < n) {
    Four<T> q = load_four(in, t);
    store_four(temp, t, q);
  }
  T x = temp[(t + 4) % n];
  out[t] = x;
}

// Two arrays overlap
// Broken  shared race at "sums[t] = y"
// Shared  temp: n, sums: n
template <class T>
__global__ void race_arrays_overlap(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<T> sums(temp, n / 2);
  const int t = threadIdx.x;
  T y = in[n - 1 - t];
  temp[t] = in[t];
  sums[t] = y;
  __syncthreads();
  T x = temp[t];
  out[t] = x;
}

// The barrier is in a branch that no thread takes
// Broken  shared race at "T x = temp[(t + 1) % n]"
// Shared  temp: n
template <class T>
__global__ void race_barrier_never_taken(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  if (n > 1024) __syncthreads();
  T x = temp[(t + 1) % n];
  out[t] = x;
}

// One warp writes what another warp reads, without a barrier
// Broken  shared race at "T x = temp[t - 32]"
// Shared  temp: n
template <class T>
__global__ void race_between_two_warps(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  if (t < 32) {
    temp[t] = in[t];
  } else if (t < 64) {
    T x = temp[t - 32];
    out[t] = x;
  }
}

// A flag is set without a fence
// Broken  shared race at "T x = temp[t - 32]"
// Shared  temp: n, ready: 1 word
template <class T>
__global__ void race_flag_without_fence(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<volatile unsigned> ready(temp, n);
  const int t = threadIdx.x;
  if (t == 0) ready[0] = 0;
  __syncthreads();
  if (t < 32) {
    temp[t] = in[t];
    __syncwarp();
    if (t == 0) ready[0] = 1;
  } else if (t < 64) {
    while (ready[0] == 0) __nanosleep(20);
    __threadfence_block();
    T x = temp[t - 32];
    out[t] = x;
  }
}

// A flag is read without a fence
// Broken  shared race at "T x = temp[t - 32]"
// Shared  temp: n, ready: 1 word
template <class T>
__global__ void race_flag_seen_without_fence(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<volatile unsigned> ready(temp, n);
  const int t = threadIdx.x;
  if (t == 0) ready[0] = 0;
  __syncthreads();
  if (t < 32) {
    temp[t] = in[t];
    __syncwarp();
    __threadfence_block();
    if (t == 0) ready[0] = 1;
  } else if (t < 64) {
    while (ready[0] == 0) __nanosleep(20);
    T x = temp[t - 32];
    out[t] = x;
  }
}

// The flag is set before its value is written
// Broken  shared race at "T x = temp[0]"
// Shared  temp: 1, ready: 1 word
template <class T>
__global__ void race_flag_raised_early(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<volatile unsigned> ready(temp, 1);
  const int t = threadIdx.x;
  if (t == 0) ready[0] = 0;
  __syncthreads();
  if (t == 0) {
    __threadfence_block();
    ready[0] = 1;
    temp[0] = in[n - 1];
  } else if (t == 32) {
    while (ready[0] == 0) __nanosleep(20);
    __threadfence_block();
    T x = temp[0];
    out[0] = x;
  }
}

// The barrier comes after the read, but should come before it
// Broken  shared race at "T left = temp[t - stride]"
// Shared  temp: n
template <class T>
__global__ void race_barrier_behind_the_read(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  T x = in[t];
  for (int stride = 1; stride < n; stride *= 2) {
    temp[t] = x;
    if (t >= stride) {
      T left = temp[t - stride];
      x = op(left, x);
    }
    __syncthreads();
  }
  out[t] = x;
}

// The carry of the previous iteration is read while the next carry is written
// Broken  shared race at "if (t == n - 1) temp[0] = x"
// Shared  temp: 1
template <class T>
__global__ void race_carry_overwritten(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  if (t == 0) temp[0] = identity<T>();
  __syncthreads();
  T x = in[t];
  for (int round = 0; round < 3; ++round) {
    T carry = temp[0];
    x = op(carry, x);
    if (t == n - 1) temp[0] = x;
    __syncthreads();
  }
  out[t] = x;
}

// The root is cleared while a lane of another warp still uses it
// Broken  shared race at "if (t == n - 1) temp[n - 1] = identity<T>()"
// Shared  temp: n
template <class T>
__global__ void race_root_cleared_by_another(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  if (t == 0) {
    T root = temp[n - 1];
    out[0] = root;
  }
  if (t == n - 1) temp[n - 1] = identity<T>();
  __syncthreads();
  if (t > 0) out[t] = temp[t];
}
