// Mistakes that only the emulator finds: wrong masks, launches without end, addresses that stop a GPU, and loops beyond any limit.

// A shuffle whose mask leaves out a lane that calls it
// Broken  wrong mask at "T y = __shfl_xor_sync(0x7fffffff, x, 0)"
template <class T>
__global__ void mask_without_the_caller(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t % n];
  T y = __shfl_xor_sync(0x7fffffff, x, 0);
  if (t < n) out[t] = y;
}

// A mask of half a warp, which the whole warp uses
// Broken  wrong mask at "T first = __shfl_sync(0x0000ffff, x, 0)"
template <class T>
__global__ void mask_of_half(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  T x = in[t % n];
  T first = __shfl_sync(0x0000ffff, x, 0);
  if (t < n) out[t] = first;
}

// A warp barrier that does not name the last lane
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

// A vote of all lanes in a branch that half of them take
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

// Four elements at a time, at an address that is one element off
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

// A chain of grids that counts down but never checks its counter
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
