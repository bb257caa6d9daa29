// More races in global memory: warps, atomics, and grids that start grids.

// A warp exchanges values through global memory without a warp barrier
// Broken  global race at "T x = work[t ^ 1]"
// Since   Volta
// Buffers work: n
// Launches global_warp_exchange<<<1, block>>>(in, out, work, n)
template <class T>
__global__ void global_warp_exchange(Global<const T> in, Global<T> out, Global<T> work, int n) {
  const int t = threadIdx.x;
  work[t] = in[t];
  T x = work[t ^ 1];
  if (t < n) out[t] = x;
}

// A parent reads what its child writes
// Broken  global race at "T x = work[0]"
// Buffers work: 1
// Run     n 64, block 32
// Launches global_parent_reads<<<1, block>>>(in, out, work)
template <class T>
__global__ void global_child_writes(Global<const T> in, Global<T> work) {
  if (threadIdx.x == 0) work[0] = in[1];
}

template <class T>
__global__ void global_parent_reads(Global<const T> in, Global<T> out, Global<T> work) {
  if (threadIdx.x == 0) {
    work[0] = in[0];
    launch_now(global_child_writes<T>, 1, 32, in, work);
    T x = work[0];
    out[0] = x;
  }
}

// Two children write the same cells
// Broken  global race at "work[threadIdx.x] = in[threadIdx.x + first]"
// Buffers work: 32
// Run     n 64, block 32
// Launches global_twins<<<1, block>>>(in, out, work)
template <class T>
__global__ void global_twin(Global<const T> in, Global<T> work, int first) {
  work[threadIdx.x] = in[threadIdx.x + first];
}

template <class T>
__global__ void global_twins(Global<const T> in, Global<T> out, Global<T> work) {
  if (threadIdx.x == 0) {
    launch_now(global_twin<T>, 1, 32, in, work, 0);
    launch_now(global_twin<T>, 1, 32, in, work, 32);
    out[0] = in[0];
  }
}

// A child reads what other threads of the block wrote, but the launching thread did not wait for these threads
// Broken  global race at "T x = work[63 - threadIdx.x]"
// Buffers work: n
// Run     n 64, block 64
// Launches global_launch_without_barrier<<<1, block>>>(in, out, work)
template <class T>
__global__ void global_reader(Global<T> work, Global<T> out) {
  T x = work[63 - threadIdx.x];
  out[threadIdx.x] = x;
}

template <class T>
__global__ void global_launch_without_barrier(Global<const T> in, Global<T> out, Global<T> work) {
  const int t = threadIdx.x;
  work[t] = in[t];
  if (t == 0) launch_now(global_reader<T>, 1, 32, work, out);
}

// A counter is cleared while other blocks count
// Broken  global race at "counter[0] = 0"
// Buffers counter: 1 word
// Run     n 256, block 64
// Launches global_counter_cleared_late<<<4, block>>>(in, out, counter, n)
template <class T>
__global__ void global_counter_cleared_late(Global<const T> in, Global<T> out, Global<unsigned> counter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) counter[0] = 0;
  atomicAdd(&counter[0], 1u);
  if (i < n) out[i] = in[i];
}

// The sum is read while other blocks still add to it
// Broken  global race at "T so_far = out[0]"
// Needs   scalar
// Run     n 256, block 64
// Launches global_set<<<1, 32>>>(out); global_sum_read_early<<<4, block>>>(in, out, n)
template <class T>
__global__ void global_set(Global<T> out) {
  if (threadIdx.x == 0) out[0] = identity<T>();
}

template <class T>
__global__ void global_sum_read_early(Global<const T> in, Global<T> out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T x = in[i];
  atomic_op(&out[0], x);
  if (threadIdx.x == 0 && i > 0 && i < n) {
    T so_far = out[0];
    out[i] = so_far;
  }
}

// Several blocks reverse an array in place
// Broken  global race at "work[i] = x"
// Buffers work: n
// Run     n 256, block 64
// Launches global_fill<<<4, block>>>(in, work); global_reversed_in_place<<<4, block>>>(work, out, n)
template <class T>
__global__ void global_fill(Global<const T> in, Global<T> work) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  work[i] = in[i];
}

template <class T>
__global__ void global_reversed_in_place(Global<T> work, Global<T> out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T x = work[n - 1 - i];
  work[i] = x;
  out[i] = x;
}

// The kernel assumes that the block with the last index finishes last
// Broken  global race at "T x = sums[t]"
// Buffers sums: 4, counter: 1 word
// Run     n 256, block 64
// Launches global_last_number<<<4, block>>>(in, out, sums, counter)
template <class T>
__global__ void global_last_number(Global<const T> in, Global<T> out, Global<T> sums, Global<unsigned> counter) {
  const int t = threadIdx.x;
  if (t == 0) {
    sums[blockIdx.x] = in[blockIdx.x * blockDim.x];
    __threadfence();
    atomicAdd(&counter[0], 1u);
  }
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && t < static_cast<int>(gridDim.x)) {
    T x = sums[t];
    out[t] = x;
  }
}

// Blocks write their sums to the same cell
// Broken  global race at "sums[blockIdx.x / 2] = x"
// Buffers sums: 4
// Run     n 256, block 64
// Launches global_same_slot<<<4, block>>>(in, out, sums)
template <class T>
__global__ void global_same_slot(Global<const T> in, Global<T> out, Global<T> sums) {
  if (threadIdx.x == 0) {
    T x = in[blockIdx.x * blockDim.x + blockIdx.x];
    sums[blockIdx.x / 2] = x;
    out[blockIdx.x] = x;
  }
}

// A block waits for one flag, but reads the sum of another block
// Broken  global race at "T x = sums[1]"
// Buffers sums: 2, ready: 2 words
// Run     n 96, block 32
// Launches global_flag_of_another<<<3, block>>>(in, out, sums, ready)
template <class T>
__global__ void global_flag_of_another(Global<const T> in, Global<T> out, Global<T> sums, Global<volatile unsigned> ready) {
  const int b = blockIdx.x;
  if (threadIdx.x == 0) {
    if (b < 2) {
      sums[b] = in[b];
      __threadfence();
      ready[b] = 1;
    } else {
      while (ready[0] == 0) __nanosleep(20);
      __threadfence();
      T x = sums[1];
      out[0] = x;
    }
  }
}
