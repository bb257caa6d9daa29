// Races in global memory. Each case has one race.

// Neighbours are added in place, within one block
// Broken  global race at "T right = work[t + 1]"
// Buffers work: n
// Launches global_neighbours_in_place<<<1, block>>>(in, out, work, n)
template <class T>
__global__ void global_neighbours_in_place(Global<const T> in, Global<T> out, Global<T> work, int n) {
  const int t = threadIdx.x;
  work[t] = in[t];
  __syncthreads();
  T x = work[t];
  if (t + 1 < n) {
    T right = work[t + 1];
    x = op(x, right);
  }
  work[t] = x;
  out[t] = x;
}

// A block reads what another block writes
// Broken  global race at "T x = work[(i + blockDim.x) % n]"
// Buffers work: n
// Run     n 256, block 64
// Launches global_of_another_block<<<4, block>>>(in, out, work, n)
template <class T>
__global__ void global_of_another_block(Global<const T> in, Global<T> out, Global<T> work, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  work[i] = in[i];
  T x = work[(i + blockDim.x) % n];
  out[i] = x;
}

// All blocks add to one cell
// Broken  global race at "T sum = out[0]"
// Run     n 256, block 64
// Launches global_clear<<<1, 32>>>(out); global_sum_without_atomic<<<4, block>>>(in, out, n)
template <class T>
__global__ void global_clear(Global<T> out) {
  if (threadIdx.x == 0) out[0] = identity<T>();
}

template <class T>
__global__ void global_sum_without_atomic(Global<const T> in, Global<T> out, int n) {
  const int t = threadIdx.x;
  if (t == 0) {
    T x = in[blockIdx.x * blockDim.x];
    T sum = out[0];
    out[0] = op(sum, x);
  }
}

// A block's barrier is used as if it were a barrier of the grid
// Broken  global race at "T sum = sums[(blockIdx.x + 1) % gridDim.x]"
// Buffers sums: 4
// Run     n 256, block 64
// Launches global_barrier_of_the_block<<<4, block>>>(in, out, sums, n)
template <class T>
__global__ void global_barrier_of_the_block(Global<const T> in, Global<T> out, Global<T> sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (t == 0) sums[blockIdx.x] = in[i];
  __threadfence();
  __syncthreads();
  T sum = sums[(blockIdx.x + 1) % gridDim.x];
  out[i] = sum;
}

// The last block reads the sums of all blocks, but no block executes a fence
// Broken  global race at "T x = sums[t]"
// Buffers sums: 4, counter: 1 word
// Shared  last: 1 word
// Run     n 256, block 64
// Launches global_last_block_without_fence<<<4, block>>>(in, out, sums, counter, n)
template <class T>
__global__ void global_last_block_without_fence(Global<const T> in, Global<T> out, Global<T> sums, Global<unsigned> counter, int n) {
  Shared<unsigned> last;
  const int t = threadIdx.x;
  if (t == 0) {
    sums[blockIdx.x] = in[blockIdx.x * blockDim.x];
    const unsigned before = atomicAdd(&counter[0], 1u);
    last[0] = before == gridDim.x - 1;
  }
  __syncthreads();
  if (last[0] == 1 && t < static_cast<int>(gridDim.x)) {
    T x = sums[t];
    out[t] = x;
  }
}

// The fence has the scope of a block
// Broken  global race at "T x = sums[t]"
// Buffers sums: 4, counter: 1 word
// Shared  last: 1 word
// Run     n 256, block 64
// Launches global_last_block_with_block_fence<<<4, block>>>(in, out, sums, counter, n)
template <class T>
__global__ void global_last_block_with_block_fence(Global<const T> in, Global<T> out, Global<T> sums, Global<unsigned> counter, int n) {
  Shared<unsigned> last;
  const int t = threadIdx.x;
  if (t == 0) {
    sums[blockIdx.x] = in[blockIdx.x * blockDim.x];
    __threadfence_block();
    const unsigned before = atomicAdd(&counter[0], 1u);
    __threadfence_block();
    last[0] = before == gridDim.x - 1;
  }
  __syncthreads();
  if (last[0] == 1 && t < static_cast<int>(gridDim.x)) {
    T x = sums[t];
    out[t] = x;
  }
}

// Only one thread uses a fence, before the other threads have written
// Broken  global race at "T x = tiles[i]"
// Buffers tiles: n, counter: 1 word
// Shared  last: 1 word
// Run     n 256, block 64
// Launches global_fence_of_one_thread<<<4, block>>>(in, out, tiles, counter, n)
template <class T>
__global__ void global_fence_of_one_thread(Global<const T> in, Global<T> out, Global<T> tiles, Global<unsigned> counter, int n) {
  Shared<unsigned> last;
  const int t = threadIdx.x;
  tiles[blockIdx.x * blockDim.x + t] = in[blockIdx.x * blockDim.x + t];
  if (t == 0) {
    __threadfence();
    const unsigned before = atomicAdd(&counter[0], 1u);
    __threadfence();
    last[0] = before == gridDim.x - 1;
  }
  __syncthreads();
  if (last[0] == 1) {
    for (int i = t; i < n; i += blockDim.x) {
      T x = tiles[i];
      out[i] = x;
    }
  }
}

// The flag is set before its value is written
// Broken  global race at "T x = sums[0]"
// Buffers sums: 1, ready: 1 word
// Run     n 64, block 32
// Launches global_flag_first<<<2, block>>>(in, out, sums, ready, n)
template <class T>
__global__ void global_flag_first(Global<const T> in, Global<T> out, Global<T> sums, Global<volatile unsigned> ready, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    ready[0] = 1;
    __threadfence();
    sums[0] = in[n - 1];
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    while (ready[0] == 0) __nanosleep(20);
    __threadfence();
    T x = sums[0];
    out[0] = x;
  }
}

// The flag is read, but no fence follows
// Broken  global race at "T x = sums[0]"
// Buffers sums: 1, ready: 1 word
// Run     n 64, block 32
// Launches global_flag_seen_without_fence<<<2, block>>>(in, out, sums, ready, n)
template <class T>
__global__ void global_flag_seen_without_fence(Global<const T> in, Global<T> out, Global<T> sums, Global<volatile unsigned> ready, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    sums[0] = in[n - 1];
    __threadfence();
    ready[0] = 1;
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    while (ready[0] == 0) __nanosleep(20);
    T x = sums[0];
    out[0] = x;
  }
}

// The flag is an ordinary word
// Broken  global race at "if (ready[0] == 1)"
// Buffers sums: 1, ready: 1 word
// Run     n 64, block 32
// Launches global_flag_not_volatile<<<2, block>>>(in, out, sums, ready, n)
template <class T>
__global__ void global_flag_not_volatile(Global<const T> in, Global<T> out, Global<T> sums, Global<unsigned> ready, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    sums[0] = in[n - 1];
    __threadfence();
    ready[0] = 1;
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    out[0] = in[0];
    if (ready[0] == 1) {
      __threadfence();
      T x = sums[0];
      out[0] = x;
    }
  }
}

// A stencil in place: two blocks use the cells at their common border
// Broken  global race at "T left = work[i - 1]"
// Buffers work: n
// Run     n 256, block 64
// Launches global_copy<<<4, block>>>(in, work); global_seams<<<4, block>>>(work, out, n)
template <class T>
__global__ void global_copy(Global<const T> in, Global<T> work) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  work[i] = in[i];
}

template <class T>
__global__ void global_seams(Global<T> work, Global<T> out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T x = work[i];
  if (i > 0) {
    T left = work[i - 1];
    x = op(left, x);
  }
  __syncthreads();
  work[i] = x;
  if (i < n) out[i] = x;
}

// Neighbouring chunks have one element in common
// Broken  global race at "work[i] = in[(i + b) % n]"
// Buffers work: n + 1
// Run     n 256, block 64
// Launches global_chunks_overlap<<<4, block>>>(in, out, work, n)
template <class T>
__global__ void global_chunks_overlap(Global<const T> in, Global<T> out, Global<T> work, int n) {
  const int b = blockIdx.x;
  const int first = b * blockDim.x;
  const int end = first + blockDim.x + 1;
  for (int i = first + threadIdx.x; i < end; i += blockDim.x) work[i] = in[(i + b) % n];
  if (threadIdx.x == 0) out[b] = in[b];
}
