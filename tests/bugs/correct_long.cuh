// Correct kernels that run long or wait long, or whose lanes diverge.

// A long loop that ends
template <class T>
__global__ void long_loop(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  unsigned x = t + 1;
  for (int k = 0; k < 300000; ++k) x = x * 1664525u + 1013904223u;
  if (t < n && x != 1) out[t] = in[t];
  if (t < n && x == 1) out[t] = in[t];
}

// A thread waits long for a slow thread
// Shared  flag: 1 word
template <class T>
__global__ void long_wait(Global<const T> in, Global<T> out, int n) {
  Shared<volatile unsigned> flag;
  const int t = threadIdx.x;
  if (t == 0) flag[0] = 0;
  __syncthreads();
  unsigned x = 1;
  if (t == 0) {
    for (int k = 0; k < 100000; ++k) x = x * 1664525u + 1013904223u;
    flag[0] = 1;
  }
  if (t == 40) {
    while (flag[0] == 0) __nanosleep(20);
  }
  __syncthreads();
  if (t < n) out[t] = in[t];
}

// A counter is used as a barrier for the whole grid
// Buffers work: n, arrived: 1 word
// Run     n 1280, block 32
// Launches grid_of_many_blocks<<<n / 32, 32>>>(in, out, work, arrived, n)
template <class T>
__global__ void grid_of_many_blocks(Global<const T> in, Global<T> out, Global<T> work, Global<unsigned> arrived, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  work[i] = in[i];
  __threadfence();
  __syncthreads();
  if (t == 0) {
    atomicAdd(&arrived[0], 1u);
    while (atomicAdd(&arrived[0], 0u) < gridDim.x) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
  T x = work[n - 1 - i];
  out[n - 1 - i] = x;
}

// A thread polls a flag that no thread sets, and stops after a while
// Shared  flag: 1 word
template <class T>
__global__ void waits_in_vain(Global<const T> in, Global<T> out, int n) {
  Shared<volatile unsigned> flag;
  const int t = threadIdx.x;
  if (t == 0) flag[0] = 0;
  __syncthreads();
  if (t == 32) {
    for (int k = 0; k < 20000 && flag[0] == 0; ++k) __nanosleep(20);
  }
  __syncthreads();
  if (t < n) out[t] = in[t];
}

// A loop with many iterations that read memory
// Run     n 64, block 32
template <class T>
__global__ void many_rounds(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T sum = in[t];
  for (int k = 0; k < 6000; ++k) {
    T x = in[(t + k) % n];
    sum = op(sum, x);
  }
  out[t] = sum;
  if (t + 32 < n) out[t + 32] = sum;
}

// A loop with a barrier makes more iterations than there are elements
// Shared  temp: n
// Run     n 64, block 64
template <class T>
__global__ void many_barriers(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  for (int k = 0; k < 700; ++k) {
    T x = temp[(t + 1) % n];
    __syncthreads();
    temp[t] = x;
    __syncthreads();
  }
  out[t] = temp[t];
}

// A mask names lanes that have returned
template <class T>
__global__ void mask_of_the_departed(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  if (t % 32 >= 24) {
    out[t] = in[t];
    return;
  }
  const unsigned v = __ballot_sync(0xffffffff, 1);
  __syncwarp();
  if (t < n && v != 1) out[t] = in[t];
}

// In each branch, a warp barrier has the mask of the lanes in this branch
// Shared  temp: n
template <class T>
__global__ void mask_by_vote(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffff, t % 3 == 0);
  const unsigned rest = __ballot_sync(0xffffffff, t % 3 != 0);
  temp[t] = in[t % n];
  if (t % 3 == 0) {
    __syncwarp(mask);
    T own = temp[t];
    T x = __shfl_sync(mask, own, __ffs(mask) - 1);
    if (t < n) out[t] = x;
  } else {
    __syncwarp(rest);
    if (t < n) out[t] = temp[t];
  }
}

// Every thread launches its own grid
template <class T>
__global__ void writes_one(Global<const T> in, Global<T> out, int i) {
  if (threadIdx.x == 0) out[i] = in[i];
}
template <class T>
__global__ void launches_one_each(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  if (t < n) launch_now(writes_one<T>, 1, 32, in, out, t);
}

// A thread polls a lock, and the pauses between the polls become longer
// Buffers lock: 1 word, sum: 1
// Run     n 64, block 32
// Launches patient_lock<<<2, block>>>(in, out, lock, sum)
template <class T>
__global__ void patient_lock(Global<const T> in, Global<T> out, Global<unsigned> lock, Global<T> sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    int ns = 8;
    while (atomicCAS(&lock[0], 0u, 1u) != 0) {
      __nanosleep(ns);
      if (ns < 1000) ns *= 2;
    }
    __threadfence();
    sum[0] = in[i];
    __threadfence();
    atomicExch(&lock[0], 0u);
  }
  out[i] = in[i];
}

// A lock that is released by an atomic exchange
// Shared  sum: 1, lock: 1 word
template <class T>
__global__ void lock_made_by_exchange(Global<const T> in, Global<T> out, int n) {
  Shared<T> sum;
  Shared<unsigned> lock(sum, 1);
  const int t = threadIdx.x;
  if (t == 0) {
    sum[0] = identity<T>();
    atomicExch(&lock[0], 0u);
  }
  __syncthreads();
  if (t % 32 == 7) {
    while (atomicCAS(&lock[0], 0u, 1u) != 0) __nanosleep(20);
    __threadfence_block();
    T x = sum[0];
    T y = in[t];
    sum[0] = op(x, y);
    __threadfence_block();
    atomicExch(&lock[0], 0u);
  }
  __syncthreads();
  if (t < n) out[t] = in[t];
}
