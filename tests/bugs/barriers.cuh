// Barriers that some threads do not reach, and shuffles from lanes that do not take part.

// A barrier in a branch that half the threads take
// Broken  divergent barrier at "if (t < n / 2) __syncthreads()"
// Shared  temp: n
template <class T>
__global__ void barrier_in_a_branch(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  if (t < n / 2) __syncthreads();
  out[t] = temp[t];
}

// One barrier in each of two branches
// Broken  divergent barrier at "__syncthreads();  // for even threads"
// Shared  temp: n
template <class T>
__global__ void barrier_in_both_branches(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  if (t % 2 == 0) {
    __syncthreads();  // for even threads
    T x = temp[t + 1];
    out[t] = x;
  } else {
    __syncthreads();  // for odd threads
    T x = temp[t - 1];
    if (t < n) out[t] = x;
  }
}

// Some threads have returned before the barrier
// Broken  divergent barrier at "__syncthreads()"
// Shared  temp: n
// Run     n 100, block 128
template <class T>
__global__ void barrier_after_return(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  if (t >= n) return;
  temp[t] = in[t];
  __syncthreads();
  T x = temp[n - 1 - t];
  out[t] = x;
}

// A barrier in a loop that threads leave one after another
// Broken  divergent barrier at "__syncthreads();  // all threads have read"
// Shared  temp: n
template <class T>
__global__ void barrier_in_divergent_loop(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  for (int stride = 1; stride <= t && t < n; stride *= 2) {
    T left = temp[t - stride];
    T right = temp[t];
    __syncthreads();  // all threads have read
    temp[t] = op(left, right);
    __syncthreads();  // all threads have written
  }
  out[t] = temp[t];
}

// A barrier in a loop whose number of iterations depends on the data
// Broken  divergent barrier at "__syncthreads()"
// Shared  temp: n
// Buffers trips: n words
// Launches barrier_make_trips<<<1, block>>>(trips); barrier_in_loop_over_data<<<1, block>>>(in, out, trips, n)
template <class T>
__global__ void barrier_make_trips(Global<unsigned> trips) {
  trips[threadIdx.x] = threadIdx.x % 3;
}

template <class T>
__global__ void barrier_in_loop_over_data(Global<const T> in, Global<T> out, Global<unsigned> trips, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int most = trips[t];
  temp[t] = in[t];
  for (int i = 0; i < most; ++i) __syncthreads();
  if (t < n) out[t] = temp[t];
}

// Whole warps do not reach the barrier
// Broken  divergent barrier at "if (t / 32 == 0) __syncthreads()"
// Shared  temp: n
template <class T>
__global__ void barrier_of_one_warp(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  if (t / 32 == 0) __syncthreads();
  if (t < n) out[t] = temp[t];
}

// Some threads skip the barrier because of `continue`
// Broken  divergent barrier at "__syncthreads();  // in each round"
// Shared  temp: n
template <class T>
__global__ void barrier_passed_by(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  for (int i = 0; i < 4; ++i) {
    if ((t + i) % 5 == 0) continue;
    __syncthreads();  // in each round
  }
  __syncthreads();
  if (t < n) out[t] = temp[t];
}

// The last threads make one iteration fewer than the other threads
// Broken  divergent barrier at "__syncthreads()"
// Shared  temp: block
// Run     n 100, block 64
template <class T>
__global__ void barrier_in_strided_loop(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  for (int i = t; i < n; i += threads) {
    temp[t] = in[i];
    __syncthreads();
    out[i] = temp[t];
  }
}

// The first thread returns before the second barrier
// Broken  divergent barrier at "__syncthreads();  // for the other threads"
// Shared  temp: n
template <class T>
__global__ void barrier_without_the_first(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  if (t == 0) {
    out[0] = temp[0];
    return;
  }
  __syncthreads();  // for the other threads
  T x = temp[t - 1];
  if (t < n) out[t] = x;
}

// Some threads leave the loop before the barrier because of `break`
// Broken  divergent barrier at "__syncthreads();  // in the loop"
// Shared  temp: n
template <class T>
__global__ void barrier_after_break(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  for (int i = 0; i < 3; ++i) {
    if (t + i > n) break;
    __syncthreads();  // in the loop
  }
  out[t] = temp[t];
}

// Half a warp reads from the other half, which is not in this branch
// Broken  absent lane at "T other = __shfl_down_sync(0xffff, x, 16)"
template <class T>
__global__ void shuffle_from_the_other_half(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t];
  if (t % 32 < 16) {
    T other = __shfl_down_sync(0xffff, x, 16);
    x = op(x, other);
  }
  if (t < n) out[t] = x;
}

// The lanes of the upper half read from lane 0, which is not in this branch
// Broken  absent lane at "T first = __shfl_sync(0xffff0000, x, 0)"
template <class T>
__global__ void shuffle_from_lane_zero(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t];
  if (t % 32 >= 16) {
    T first = __shfl_sync(0xffff0000, x, 0);
    x = op(first, x);
  }
  if (t < n) out[t] = x;
}

// Lanes read from lanes that have returned
// Broken  absent lane at "T other = __shfl_xor_sync(0x00ffffff, x, 16)"
template <class T>
__global__ void shuffle_from_the_departed(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  if (t % 32 >= 24) return;
  T x = in[t];
  T other = __shfl_xor_sync(0x00ffffff, x, 16);
  if (t < n) out[t] = op(x, other);
}

// At the end, only some threads reach the barrier
// Broken  divergent barrier at "if (t < 40) __syncthreads()"
// Shared  temp: n
template <class T>
__global__ void barrier_at_the_end(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  __syncthreads();
  out[t] = temp[n - 1 - t];
  if (t < 40) __syncthreads();
}
