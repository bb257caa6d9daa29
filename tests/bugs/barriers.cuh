// Barriers that not all threads reach, and shuffles from lanes that take no part.

// In a branch that half the threads take
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

// One in either branch
// Broken  divergent barrier at "__syncthreads();  // of the even"
// Shared  temp: n
template <class T>
__global__ void barrier_in_both_branches(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  if (t % 2 == 0) {
    __syncthreads();  // of the even
    T x = temp[t + 1];
    out[t] = x;
  } else {
    __syncthreads();  // of the odd
    T x = temp[t - 1];
    if (t < n) out[t] = x;
  }
}

// Some threads have returned
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

// In a loop that threads leave one after another
// Broken  divergent barrier at "__syncthreads();  // all have read"
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
    __syncthreads();  // all have read
    temp[t] = op(left, right);
    __syncthreads();  // all have written
  }
  out[t] = temp[t];
}

// In a loop whose trips depend on the data
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

// Whole warps pass it by
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

// Passed by with continue
// Broken  divergent barrier at "__syncthreads();  // of a round"
// Shared  temp: n
template <class T>
__global__ void barrier_passed_by(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t];
  for (int i = 0; i < 4; ++i) {
    if ((t + i) % 5 == 0) continue;
    __syncthreads();  // of a round
  }
  __syncthreads();
  if (t < n) out[t] = temp[t];
}

// The last threads have one round less
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

// The first thread leaves when it is done
// Broken  divergent barrier at "__syncthreads();  // for the others"
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
  __syncthreads();  // for the others
  T x = temp[t - 1];
  if (t < n) out[t] = x;
}

// Left early with break
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

// Half a warp takes from the other half, which is elsewhere
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

// A lane of the upper half asks for lane 0
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

// Lanes that have returned are still asked
// Broken  absent lane at "T other = __shfl_xor_sync(0x00ffffff, x, 16)"
template <class T>
__global__ void shuffle_from_the_departed(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  if (t % 32 >= 24) return;
  T x = in[t];
  T other = __shfl_xor_sync(0x00ffffff, x, 16);
  if (t < n) out[t] = op(x, other);
}
