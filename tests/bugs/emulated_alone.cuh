// Mistakes for the emulator only: wrong masks, absent lanes, addresses that stop a GPU, and more endless runs and races.

// A shuffle whose mask leaves out a lane that calls it
// Broken  wrong mask at "T y = __shfl_xor_sync(0x7fffffff, x, 0)"
template <class T>
__global__ void mask_without_the_caller(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t % n];
  T y = __shfl_xor_sync(0x7fffffff, x, 0);
  if (t < n) out[t] = y;
}

// The whole warp uses the mask of half a warp
// Broken  wrong mask at "T first = __shfl_sync(0x0000ffff, x, 0)"
template <class T>
__global__ void mask_of_half(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t % n];
  T first = __shfl_sync(0x0000ffff, x, 0);
  if (t < n) out[t] = first;
}

// The mask of a warp barrier lacks the last lane
// Broken  wrong mask at "__syncwarp(0x7fffffff)"
// Shared  temp: n
template <class T>
__global__ void mask_of_a_warp_barrier(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t % n];
  __syncwarp(0x7fffffff);
  if (t < n) out[t] = temp[t];
}

// The mask of a vote names all lanes, but only half of the lanes take the branch
// Broken  absent lane at "v = __ballot_sync(0xffffffff, 1)"
template <class T>
__global__ void vote_in_a_branch(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  unsigned v = 0;
  if (t % 32 < 16) v = __ballot_sync(0xffffffff, 1);
  if (t < n && v < 4000000000u) out[t] = in[t];
  if (t < n && v >= 4000000000u) out[t] = in[t];
}

// All lanes except the first wait at a barrier that the first lane never reaches
// Broken  absent lane at "__syncwarp();  // for the whole warp"
// Shared  temp: n
template <class T>
__global__ void warp_barrier_without_the_first(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  temp[t] = in[t % n];
  if (t % 32 != 0) {
    __syncwarp();  // for the whole warp
  }
  if (t < n) out[t] = temp[t];
}

// Threads store four elements at once, at an address that is one element off
// Broken  misaligned access at "store_four(b, t, q)"
// Shared  a: 1, b: n + 8
template <class T>
__global__ void four_one_off(Global<const T> in, Global<T> out, int n) {
  Shared<T> a;
  Shared<T> b(a, 1);
  const int t = threadIdx.x;
  if (t < n / 4) {
    Four<T> q = load_four(in, t);
    store_four(b, t, q);
  }
  __syncthreads();
  if (t < n) out[t] = in[t];
}

// A grid that launches itself forever
// Broken  endless launches at "if (t == 0) launch_tail(launches_itself<T>, 1, 32, in, out, n)"
template <class T>
__global__ void launches_itself(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  if (t < n && t >= 32) out[t] = in[t];
  if (t == 0) launch_tail(launches_itself<T>, 1, 32, in, out, n);
}

// Every thread launches a grid whose threads also launch grids
// Broken  endless launches at "if (t < 32) launch_now(launches_many<T>, 1, 32, in, out, n)"
template <class T>
__global__ void launches_many(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  if (t < 32) launch_now(launches_many<T>, 1, 32, in, out, n);
}

// Each grid launches the next grid and counts down, but never checks the counter
// Broken  endless launches at "if (t == 0) launch_now(launches_down<T>, 1, 32, in, out, n - 1)"
template <class T>
__global__ void launches_down(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  if (t == 0) launch_now(launches_down<T>, 1, 32, in, out, n - 1);
}

// An odd number never becomes zero in steps of two
// Broken  endless loop at "for (unsigned k = 1; k != 0; k += 2) x = x * 1664525u"
template <class T>
__global__ void steps_over_the_end(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  unsigned x = t;
  for (unsigned k = 1; k != 0; k += 2) x = x * 1664525u;
  if (t < n && x != 1) out[t] = in[t];
}

// A thread waits for a while, and then goes on as if the flag had been set
// Broken  shared race at "if (t == 40) out[40] = temp[0]"
// Shared  temp: n, flag: 1 word
template <class T>
__global__ void gives_up_waiting(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  Shared<volatile unsigned> flag(temp, n);
  const int t = threadIdx.x;
  temp[t] = in[t];
  if (t == 0) flag[0] = 0;
  __syncthreads();
  if (t == 0) temp[0] = in[1];
  if (t == 40) {
    for (int k = 0; k < 50 && flag[0] == 0; ++k) __nanosleep(20);
  }
  if (t == 40) out[40] = temp[0];
  if (t < n && t != 40) out[t] = in[t];
}

// A thread releases a lock without a fence before the release
// Broken  shared race at "T x = sum[0];  // in the lock"
// Shared  sum: 1, lock: 1 word
template <class T>
__global__ void lock_without_a_fence(Global<const T> in, Global<T> out, int n) {
  Shared<T> sum;
  Shared<unsigned> lock(sum, 1);
  const int t = threadIdx.x;
  if (t == 0) {
    sum[0] = identity<T>();
    lock[0] = 0;
  }
  __syncthreads();
  if (t % 32 == 7) {
    while (atomicCAS(&lock[0], 0u, 1u) != 0) __nanosleep(20);
    __threadfence_block();
    T x = sum[0];  // in the lock
    T y = in[t];
    sum[0] = op(x, y);
    atomicExch(&lock[0], 0u);
  }
  __syncthreads();
  if (t < n) out[t] = in[t];
}

// After a loop, one thread writes the cell that other threads still read in the loop's condition
// Broken  shared race at "if (t == 0) count[0] = 7"
// Shared  count: 1 word
template <class T>
__global__ void race_with_a_loops_end(Global<const T> in, Global<T> out, int n) {
  Shared<unsigned> count;
  const int t = threadIdx.x;
  if (t == 0) count[0] = 5;
  __syncthreads();
  while (count[0] > 0) {
    __syncthreads();
    if (t == 0) count[0] = count[0] - 1;
    __syncthreads();
  }
  if (t == 0) count[0] = 7;
  __syncthreads();
  if (t < n && count[0] > 3) out[t] = in[t];
}

// No barrier separates the two branches of an if
// Broken  shared race at "T x = temp[t - 64]"
// Shared  temp: 64
template <class T>
__global__ void race_between_two_branches(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  if (t < 64) {
    temp[t] = in[t];
  }
  else {
    T x = temp[t - 64];
    out[t] = x;
  }
  if (t < 64) out[t] = in[t];
}

// The lanes in a branch need a warp barrier inside the branch
// Broken  shared race at "temp[t] = x;  // each stride"
// Since   Volta
// Shared  temp: block
template <class T>
__global__ void race_in_half_a_warp(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int lane = t % 32;
  T x = in[t];
  temp[t] = x;
  __syncthreads();
  if (lane < 16) {
    for (int d = 8; d > 0; d /= 2) {
      __syncwarp(0xffff);
      T y = temp[t ^ d];
      x = op(x, y);
      temp[t] = x;  // each stride
    }
  }
  out[t] = x;
}
