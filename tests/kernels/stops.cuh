// Runs without an end
// Idea        These kernels never end, each for a different reason.
// Gives       copy
// Elements    any
// Blocks      any
// Buffers     flag: 64 words
// Shared      none
// Launches    KERNEL<<<grid, block>>>(in, out, flag, n)
// Variants    none
// Steps       0
// Operations  0
// Watch       A sentence says why the run was stopped.
// Source      A test of the emulator.
template <class T>
__global__ void loops_alone(Global<const T> in, Global<T> out, Global<volatile unsigned> flag, int n) {
  step(Phase::load);
  out[threadIdx.x] = in[threadIdx.x % n];
  if (flag[1] == 7) return;
  for (int i = 0; i < n; i >> 1) {
    T x = in[i];
    out[threadIdx.x] = x;
  }
}

template <class T>
__global__ void loops_at_barriers(Global<const T> in, Global<T> out, Global<volatile unsigned> flag, int n) {
  step(Phase::load);
  for (int i = n; i > 0;) {
    out[threadIdx.x] = in[threadIdx.x % n];
    __syncthreads();
  }
}

template <class T>
__global__ void waits_for_nobody(Global<const T> in, Global<T> out, Global<volatile unsigned> flag, int n) {
  step(Phase::load);
  out[threadIdx.x] = in[threadIdx.x % n];
  if (threadIdx.x == 3) {
    while (flag[0] == 0) __nanosleep(20);
  }
}

template <class T>
__global__ void spins_without_pause(Global<const T> in, Global<T> out, Global<volatile unsigned> flag, int n) {
  step(Phase::load);
  out[threadIdx.x] = in[threadIdx.x % n];
  while (atomicCAS(&flag[0], 1, 2) != 1) flag[1] = 1;
}

template <class T>
__global__ void waits_for_a_later_block(Global<const T> in, Global<T> out, Global<volatile unsigned> flag, int n) {
  step(Phase::load);
  out[threadIdx.x] = in[threadIdx.x % n];
  if (threadIdx.x == 0) {
    while (blockIdx.x + 1 < gridDim.x && flag[blockIdx.x + 1] == 0) __nanosleep(20);
    flag[blockIdx.x] = 1;
  }
}

template <class T>
__global__ void parts_of_a_warp_apart(Global<const T> in, Global<T> out, Global<volatile unsigned> flag, int n) {
  step(Phase::load);
  out[threadIdx.x] = in[threadIdx.x % n];
  if (threadIdx.x < 16) __syncwarp();
  __syncthreads();
}

template <class T>
__global__ void warps_at_different_things(Global<const T> in, Global<T> out, Global<volatile unsigned> flag, int n) {
  step(Phase::load);
  out[threadIdx.x] = in[threadIdx.x % n];
  if (threadIdx.x < 16) {
    __syncwarp();
  } else {
    if (__any_sync(0xffffffff, threadIdx.x == 40)) out[threadIdx.x] = in[0];
  }
}
