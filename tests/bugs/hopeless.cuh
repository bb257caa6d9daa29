// Runs that never end: loops that make no progress, and threads that wait for something that never happens.

// The shifted value is computed but not assigned
// Broken  endless loop at "for (int stride = n / 2; stride > 0; stride >> 1)"
// Shared  temp: n
template <class T>
__global__ void endless_shift(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  for (int stride = n / 2; stride > 0; stride >> 1) {
    __syncthreads();
    if (t < stride) {
      T near = temp[t];
      T far = temp[t + stride];
      temp[t] = op(near, far);
    }
  }
  if (t == 0) out[0] = temp[0];
}

// The index is never increased
// Broken  endless loop at "while (i < n)"
template <class T>
__global__ void endless_index(Global<const T> in, Global<T> out, int n) {
  int i = threadIdx.x;
  while (i < n) {
    out[i] = in[i];
  }
}

// The stride is doubled, but it begins with zero
// Broken  endless loop at "for (int stride = 0; stride < n; stride *= 2)"
template <class T>
__global__ void endless_doubling(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T sum = in[t];
  for (int stride = 0; stride < n; stride *= 2) {
    T x = in[(t + stride) % n];
    sum = op(sum, x);
  }
  out[t] = sum;
}

// An unsigned number is never below zero
// Broken  endless loop at "for (unsigned k = 3; k >= 0; k -= 1)"
template <class T>
__global__ void endless_countdown(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T sum = in[t];
  for (unsigned k = 3; k >= 0; k -= 1) {
    T x = in[(t + k) % n];
    sum = op(sum, x);
  }
  out[t] = sum;
}

// Only one thread loops forever
// Broken  endless loop at "while (left != right)"
template <class T>
__global__ void endless_for_one_thread(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  int left = t, right = n - 1 - t;
  T sum = in[t];
  if (t == 5) {
    while (left != right) {
      T x = in[left % n];
      sum = op(sum, x);
      left = (left + 2) % n;
      right = (right + 2) % n;
    }
  }
  out[t] = sum;
}

// An ordinary read of a flag that no thread sets
// Broken  endless loop at "while (flag[0] == 0)"
// Buffers flag: 1 word
// Launches endless_plain_flag<<<1, block>>>(in, out, flag)
template <class T>
__global__ void endless_plain_flag(Global<const T> in, Global<T> out, Global<unsigned> flag) {
  const int t = threadIdx.x;
  while (flag[0] == 0) {
    out[t] = in[t];
  }
}

// A flag that no thread sets
// Broken  deadlock at "while (ready[0] == 0)"
// Buffers ready: 1 word
// Launches stuck_flag<<<1, block>>>(in, out, ready)
template <class T>
__global__ void stuck_flag(Global<const T> in, Global<T> out, Global<volatile unsigned> ready) {
  const int t = threadIdx.x;
  while (ready[0] == 0) __nanosleep(20);
  out[t] = in[t];
}

// Two blocks wait for each other
// Broken  deadlock at "while (ready[1 - blockIdx.x] == 0)"
// Buffers ready: 2 words
// Run     n 64, block 32
// Launches stuck_in_a_circle<<<2, block>>>(in, out, ready)
template <class T>
__global__ void stuck_in_a_circle(Global<const T> in, Global<T> out, Global<volatile unsigned> ready) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    while (ready[1 - blockIdx.x] == 0) __nanosleep(20);
    __threadfence();
    ready[blockIdx.x] = 1;
  }
  __syncthreads();
  out[i] = in[i];
}

// A thread waits for a flag that another thread sets after the barrier
// Broken  deadlock at "while (ready[0] == 0)"
// Buffers ready: 1 word
// Launches stuck_before_the_barrier<<<1, block>>>(in, out, ready)
template <class T>
__global__ void stuck_before_the_barrier(Global<const T> in, Global<T> out, Global<volatile unsigned> ready) {
  const int t = threadIdx.x;
  if (t == 0) {
    while (ready[0] == 0) __nanosleep(20);
  }
  __syncthreads();
  if (t == 32) ready[0] = 1;
  out[t] = in[t];
}

// Some lanes wait at a warp barrier, and the other lanes wait at the block barrier
// Broken  deadlock at "__syncwarp();  // for the whole warp"
// Shared  temp: n
template <class T>
__global__ void stuck_warp_barrier(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  if (t % 32 < 16) {
    __syncwarp();  // for the whole warp
  }
  __syncthreads();
  if (t % 32 >= 16) {
    __syncwarp();  // the lower lanes never leave their warp barrier, so no lane gets here
  }
  if (t < n) out[t] = temp[t];
}

// A lock that is never released
// Broken  deadlock at "while (atomicCAS(&lock[0], 0u, 1u) != 0)"
// Buffers lock: 1 word
// Run     n 64, block 32
// Launches stuck_lock<<<2, block>>>(in, out, lock)
template <class T>
__global__ void stuck_lock(Global<const T> in, Global<T> out, Global<unsigned> lock) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock[0], 0u, 1u) != 0) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
  out[i] = in[i];
}

// The counter never reaches the number that the blocks wait for
// Broken  deadlock at "while (arrived[0] != gridDim.x + 1)"
// Buffers counter: 1 word
// Run     n 64, block 32
// Launches stuck_count<<<2, block>>>(in, out, counter, counter)
template <class T>
__global__ void stuck_count(Global<const T> in, Global<T> out, Global<unsigned> counter, Global<volatile unsigned> arrived) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    atomicAdd(&counter[0], 1u);
    while (arrived[0] != gridDim.x + 1) __nanosleep(20);
  }
  __syncthreads();
  out[i] = in[i];
}

// One thread writes 1, but another thread waits for 2
// Broken  deadlock at "while (ready[0] != 2)"
// Shared  ready: 1 word
template <class T>
__global__ void stuck_on_another_value(Global<const T> in, Global<T> out, int n) {
  Shared<volatile unsigned> ready;
  const int t = threadIdx.x;
  if (t == 0) ready[0] = 0;
  __syncthreads();
  if (t == 0) ready[0] = 1;
  if (t == 32) {
    while (ready[0] != 2) __nanosleep(20);
  }
  if (t < n) out[t] = in[t];
}

// The mask of a shuffle names lanes that wait at the block's barrier
// Broken  deadlock at "T other = __shfl_down_sync(0xffffffff, x, 16)"
template <class T>
__global__ void stuck_shuffle(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t];
  if (t % 32 < 16) {
    T other = __shfl_down_sync(0xffffffff, x, 16);
    x = op(x, other);
  }
  __syncthreads();
  if (t < n) out[t] = x;
}
