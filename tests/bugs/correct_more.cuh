// Correct kernels that look wrong: across blocks, launches and grids.

// The last block reads all sums, and all blocks execute fences before and after the atomic
// Buffers sums: 4, counter: 1 word
// Shared  last: 1 word
// Run     n 256, block 64
// Launches fine_last_block<<<4, block>>>(in, out, sums, counter)
template <class T>
__global__ void fine_last_block(Global<const T> in, Global<T> out, Global<T> sums, Global<unsigned> counter) {
  Shared<unsigned> last;
  const int t = threadIdx.x;
  if (t == 0) {
    sums[blockIdx.x] = in[blockIdx.x * blockDim.x];
    __threadfence();
    const unsigned before = atomicAdd(&counter[0], 1u);
    __threadfence();
    last[0] = before == gridDim.x - 1;
  }
  __syncthreads();
  if (last[0] == 1 && t < static_cast<int>(gridDim.x)) {
    T x = sums[t];
    out[t] = x;
  }
}

// All threads write and execute a fence; after a barrier, one thread increases the counter
// Buffers tiles: n, counter: 1 word
// Shared  last: 1 word
// Run     n 256, block 64
// Launches fine_last_block_of_all<<<4, block>>>(in, out, tiles, counter, n)
template <class T>
__global__ void fine_last_block_of_all(Global<const T> in, Global<T> out, Global<T> tiles, Global<unsigned> counter, int n) {
  Shared<unsigned> last;
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  tiles[i] = in[i];
  __threadfence();
  __syncthreads();
  if (t == 0) {
    last[0] = atomicAdd(&counter[0], 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last[0] == 1) {
    for (int k = t; k < n; k += blockDim.x) {
      T x = tiles[k];
      out[k] = x;
    }
  }
}

// All threads write and wait at a barrier; then one thread executes a fence and increases the counter
// Buffers tiles: n, counter: 1 word
// Shared  last: 1 word
// Run     n 256, block 64
// Launches fine_fence_behind_barrier<<<4, block>>>(in, out, tiles, counter, n)
template <class T>
__global__ void fine_fence_behind_barrier(Global<const T> in, Global<T> out, Global<T> tiles, Global<unsigned> counter, int n) {
  Shared<unsigned> last;
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  tiles[i] = in[i];
  __syncthreads();
  if (t == 0) {
    __threadfence();
    last[0] = atomicAdd(&counter[0], 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last[0] == 1) {
    for (int k = t; k < n; k += blockDim.x) {
      T x = tiles[k];
      out[k] = x;
    }
  }
}

// Each block waits for the flag of the block before it
// Buffers sums: 4, ready: 4 words
// Run     n 256, block 64
// Launches fine_chain<<<4, block>>>(in, out, sums, ready)
template <class T>
__global__ void fine_chain(Global<const T> in, Global<T> out, Global<T> sums, Global<volatile unsigned> ready) {
  const int b = blockIdx.x;
  if (threadIdx.x == 0) {
    T sum = in[b * blockDim.x];
    if (b > 0) {
      while (ready[b - 1] == 0) __nanosleep(20);
      __threadfence();
      T before = sums[b - 1];
      sum = op(before, sum);
    }
    sums[b] = sum;
    __threadfence();
    ready[b] = 1;
    out[b] = sum;
  }
}

// One thread polls a flag for its whole block
// Buffers work: n, ready: 1 word
// Run     n 128, block 64
// Launches fine_block_waits<<<2, block>>>(in, out, work, ready)
template <class T>
__global__ void fine_block_waits(Global<const T> in, Global<T> out, Global<T> work, Global<volatile unsigned> ready) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    work[t] = in[t];
    __syncthreads();
    if (t == 0) {
      __threadfence();
      ready[0] = 1;
    }
  } else {
    if (t == 0) {
      while (ready[0] == 0) __nanosleep(20);
      __threadfence();
    }
    __syncthreads();
    T x = work[63 - t];
    out[t] = x;
  }
}

// A status word that changes twice: after the second change, both sums can be read
// Buffers sums: 2, status: 1 word
// Run     n 64, block 32
// Launches fine_two_states<<<2, block>>>(in, out, sums, status)
template <class T>
__global__ void fine_two_states(Global<const T> in, Global<T> out, Global<volatile T> sums, Global<volatile unsigned> status) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    sums[0] = in[0];
    __threadfence();
    status[0] = 1;
    sums[1] = in[1];
    __threadfence();
    status[0] = 2;
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    while (status[0] != 2) __nanosleep(20);
    __threadfence();
    T x = sums[0];
    T y = sums[1];
    out[0] = op(x, y);
  }
}

// A lock: each holder reads what the previous holder wrote
// Buffers sum: 1, lock: 1 word
// Run     n 128, block 32
// Launches fine_set_sum<<<1, 32>>>(sum); fine_lock<<<4, block>>>(in, sum, lock); fine_get_sum<<<1, 32>>>(sum, out)
template <class T>
__global__ void fine_set_sum(Global<T> sum) {
  if (threadIdx.x == 0) sum[0] = identity<T>();
}

template <class T>
__global__ void fine_get_sum(Global<const T> sum, Global<T> out) {
  if (threadIdx.x == 0) out[0] = sum[0];
}

template <class T>
__global__ void fine_lock(Global<const T> in, Global<volatile T> sum, Global<unsigned> lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock[0], 0u, 1u) != 0) __nanosleep(20);
    __threadfence();
    T so_far = sum[0];
    T x = in[blockIdx.x];
    sum[0] = op(so_far, x);
    __threadfence();
    atomicExch(&lock[0], 0u);
  }
}

// All threads add to one cell, atomically
// Needs   scalar
// Run     n 256, block 64
// Launches fine_set_out<<<1, 32>>>(out); fine_atomic_sum<<<4, block>>>(in, out)
template <class T>
__global__ void fine_set_out(Global<T> out) {
  if (threadIdx.x == 0) out[0] = identity<T>();
}

template <class T>
__global__ void fine_atomic_sum(Global<const T> in, Global<T> out) {
  T x = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomic_op(&out[0], x);
}

// A launch can read everything that the previous launch wrote
// Buffers sums: 4
// Run     n 256, block 64
// Launches fine_make_sums<<<4, block>>>(in, sums); fine_use_sums<<<1, block>>>(sums, out)
template <class T>
__global__ void fine_make_sums(Global<const T> in, Global<T> sums) {
  if (threadIdx.x == 7) sums[blockIdx.x] = in[blockIdx.x * blockDim.x];
}

template <class T>
__global__ void fine_use_sums(Global<const T> sums, Global<T> out) {
  const int t = threadIdx.x;
  T x = sums[t % 4];
  out[t] = x;
}

// The blocks work in place, but each block accesses only its own chunk and uses barriers
// Buffers work: n
// Run     n 256, block 64
// Launches fine_own_chunk<<<4, block>>>(in, out, work)
template <class T>
__global__ void fine_own_chunk(Global<const T> in, Global<T> out, Global<T> work) {
  const int t = threadIdx.x;
  const int first = blockIdx.x * blockDim.x;
  work[first + t] = in[first + t];
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      T near = work[first + t];
      T far = work[first + t + stride];
      work[first + t] = op(near, far);
    }
  }
  if (t == 0) out[blockIdx.x] = work[first];
}

// A warp exchanges values through global memory, with a warp barrier
// Buffers work: n
// Launches fine_warp_exchange<<<1, block>>>(in, out, work)
template <class T>
__global__ void fine_warp_exchange(Global<const T> in, Global<T> out, Global<T> work) {
  const int t = threadIdx.x;
  work[t] = in[t];
  __syncwarp();
  T x = work[t ^ 1];
  out[t] = x;
}

// A tail launch runs when the whole parent grid has ended
// Buffers work: n
// Run     n 128, block 64
// Launches fine_parent<<<2, block>>>(in, out, work)
template <class T>
__global__ void fine_tail(Global<T> work, Global<T> out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T x = work[gridDim.x * blockDim.x - 1 - i];
  out[i] = x;
}

template <class T>
__global__ void fine_parent(Global<const T> in, Global<T> out, Global<T> work) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) launch_tail(fine_tail<T>, gridDim.x, blockDim.x, work, out);
  work[i] = in[i];
}

// A barrier comes before the launch, so the child grid can read what all threads of its parent wrote
// Buffers work: n
// Run     n 64, block 64
// Launches fine_launcher<<<1, block>>>(in, out, work)
template <class T>
__global__ void fine_child(Global<T> work, Global<T> out) {
  T x = work[63 - threadIdx.x];
  out[threadIdx.x] = x;
}

template <class T>
__global__ void fine_launcher(Global<const T> in, Global<T> out, Global<T> work) {
  const int t = threadIdx.x;
  work[t] = in[t];
  __syncthreads();
  if (t == 0) launch_now(fine_child<T>, 1, 64, work, out);
}

// A tail launch waits for the other child grids, which were launched by launch_now
// Buffers work: 64
// Run     n 64, block 32
// Launches fine_family<<<1, block>>>(in, out, work)
template <class T>
__global__ void fine_quick_child(Global<const T> in, Global<T> work, int first) {
  work[first + threadIdx.x] = in[first + threadIdx.x];
}

template <class T>
__global__ void fine_patient_child(Global<T> work, Global<T> out) {
  T x = work[63 - threadIdx.x];
  out[threadIdx.x] = x;
}

template <class T>
__global__ void fine_family(Global<const T> in, Global<T> out, Global<T> work) {
  if (threadIdx.x == 0) {
    launch_now(fine_quick_child<T>, 1, 32, in, work, 0);
    launch_now(fine_quick_child<T>, 1, 32, in, work, 32);
    launch_tail(fine_patient_child<T>, 1, 64, work, out);
  }
}

// Each block gets its tile from a counter, and no order between the blocks is needed
// Buffers counter: 1 word
// Shared  ticket: 1 word
// Run     n 256, block 64
// Launches fine_tickets<<<4, block>>>(in, out, counter)
template <class T>
__global__ void fine_tickets(Global<const T> in, Global<T> out, Global<unsigned> counter) {
  Shared<unsigned> ticket;
  const int t = threadIdx.x;
  if (t == 0) ticket[0] = atomicAdd(&counter[0], 1u);
  __syncthreads();
  const int first = ticket[0] * blockDim.x;
  out[first + t] = in[first + t];
}

// Threads load four elements at a time, but load the last elements singly
// Shared  temp: n
// Run     n 102, block 128
template <class T>
__global__ void fine_vectors(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int fours = n / 4;
  if (t < fours) {
    Four<T> q = load_four(in, t);
    store_four(temp, t, q);
  }
  if (4 * fours + t < n) temp[4 * fours + t] = in[4 * fours + t];
  __syncthreads();
  if (t < n) out[t] = temp[n - 1 - t];
}
