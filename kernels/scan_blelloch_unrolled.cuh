// Unrolled Blelloch scan
// Idea        This is the algorithm of scan_blelloch for a block size that is known at compile time. So every
//             level is written out, no loop counts strides, and every index is t times a constant plus a constant.
// Gives       exclusive scan
// Elements    2 per thread
// Threads     power of two
// Shared      temp: 2 * block
// Variants    layouts
// Steps       2 * log2(2 * block)
// Operations  2 * (2 * block - 1)
// Span        2 * log2(2 * block) - 1
// Watch       If the tree has the same size as in scan_blelloch, accesses and conflicts are the same; only the instructions of the
//             loops are gone. The tree always has two leaves for each thread of the block. Leaves beyond the array hold the identity.
// Source      [GEMS] GPU Gems 3, ch. 39, section 39.2.5
template <class T>
__global__ void scan_blelloch_unrolled(Global<const T> in, Global<T> out, int n) {
  Shared<volatile T> temp;  // because of volatile, the two leaves of a node are read one after the other, as written
  const int t = threadIdx.x;
  const int half = block_size;  // half the number of leaves of the tree

  // Each thread loads two elements, or the identity beyond the end of the array.
  step(Phase::load);
  T x = identity<T>(), y = identity<T>();
  if (t < n) x = in[t];
  if (t + half < n) y = in[t + half];
  temp[pad(t)] = x;
  temp[pad(t + half)] = y;

  // Up-sweep: build the tree of partial sums, in place. If the stride of a level exceeds the block size, the level is left out.
  __syncthreads();
  step(Phase::up_sweep, 1);
  if (t < block_size) {
    T left = temp[pad(2 * t)];
    T right = temp[pad(2 * t + 1)];
    temp[pad(2 * t + 1)] = op(left, right);
  }

  __syncthreads();
  step(Phase::up_sweep, 2);
  if (t < block_size / 2) {
    T left = temp[pad(4 * t + 1)];
    T right = temp[pad(4 * t + 3)];
    temp[pad(4 * t + 3)] = op(left, right);
  }

  __syncthreads();
  step(Phase::up_sweep, 4);
  if (t < block_size / 4) {
    T left = temp[pad(8 * t + 3)];
    T right = temp[pad(8 * t + 7)];
    temp[pad(8 * t + 7)] = op(left, right);
  }

  __syncthreads();
  step(Phase::up_sweep, 8);
  if (t < block_size / 8) {
    T left = temp[pad(16 * t + 7)];
    T right = temp[pad(16 * t + 15)];
    temp[pad(16 * t + 15)] = op(left, right);
  }

  __syncthreads();
  step(Phase::up_sweep, 16);
  if (t < block_size / 16) {
    T left = temp[pad(32 * t + 15)];
    T right = temp[pad(32 * t + 31)];
    temp[pad(32 * t + 31)] = op(left, right);
  }

  __syncthreads();
  step(Phase::up_sweep, 32);
  if (t < block_size / 32) {
    T left = temp[pad(64 * t + 31)];
    T right = temp[pad(64 * t + 63)];
    temp[pad(64 * t + 63)] = op(left, right);
  }

  if (block_size >= 64) {
    __syncthreads();
    step(Phase::up_sweep, 64);
    if (t < block_size / 64) {
      T left = temp[pad(128 * t + 63)];
      T right = temp[pad(128 * t + 127)];
      temp[pad(128 * t + 127)] = op(left, right);
    }
  }

  if (block_size >= 128) {
    __syncthreads();
    step(Phase::up_sweep, 128);
    if (t < block_size / 128) {
      T left = temp[pad(256 * t + 127)];
      T right = temp[pad(256 * t + 255)];
      temp[pad(256 * t + 255)] = op(left, right);
    }
  }

  if (block_size >= 256) {
    __syncthreads();
    step(Phase::up_sweep, 256);
    if (t < block_size / 256) {
      T left = temp[pad(512 * t + 255)];
      T right = temp[pad(512 * t + 511)];
      temp[pad(512 * t + 511)] = op(left, right);
    }
  }

  if (block_size >= 512) {
    __syncthreads();
    step(Phase::up_sweep, 512);
    if (t < block_size / 512) {
      T left = temp[pad(1024 * t + 511)];
      T right = temp[pad(1024 * t + 1023)];
      temp[pad(1024 * t + 1023)] = op(left, right);
    }
  }

  if (block_size >= 1024) {
    __syncthreads();
    step(Phase::up_sweep, 1024);
    if (t < block_size / 1024) {
      T left = temp[pad(2048 * t + 1023)];
      T right = temp[pad(2048 * t + 2047)];
      temp[pad(2048 * t + 2047)] = op(left, right);
    }
  }

  // Set the root to the identity. No barrier is needed, because thread 0 itself stored the root.
  step(Phase::clear);
  if (t == 0) temp[pad(2 * block_size - 1)] = identity<T>();

  // Down-sweep: the left child gets its parent's prefix. The right child gets this prefix plus the left child's sum.
  if (block_size >= 1024) {
    step(Phase::down_sweep, 1024);  // no barrier is needed, because only thread 0 works in the previous step and in this step
    if (t < block_size / 1024) {
      T sum = temp[pad(2048 * t + 1023)];
      temp[pad(2048 * t + 1023)] = temp[pad(2048 * t + 2047)];
      T prefix = temp[pad(2048 * t + 2047)];
      temp[pad(2048 * t + 2047)] = op(prefix, sum);
    }
  }

  if (block_size >= 512) {
    __syncthreads();
    step(Phase::down_sweep, 512);
    if (t < block_size / 512) {
      T sum = temp[pad(1024 * t + 511)];
      temp[pad(1024 * t + 511)] = temp[pad(1024 * t + 1023)];
      T prefix = temp[pad(1024 * t + 1023)];
      temp[pad(1024 * t + 1023)] = op(prefix, sum);
    }
  }

  if (block_size >= 256) {
    __syncthreads();
    step(Phase::down_sweep, 256);
    if (t < block_size / 256) {
      T sum = temp[pad(512 * t + 255)];
      temp[pad(512 * t + 255)] = temp[pad(512 * t + 511)];
      T prefix = temp[pad(512 * t + 511)];
      temp[pad(512 * t + 511)] = op(prefix, sum);
    }
  }

  if (block_size >= 128) {
    __syncthreads();
    step(Phase::down_sweep, 128);
    if (t < block_size / 128) {
      T sum = temp[pad(256 * t + 127)];
      temp[pad(256 * t + 127)] = temp[pad(256 * t + 255)];
      T prefix = temp[pad(256 * t + 255)];
      temp[pad(256 * t + 255)] = op(prefix, sum);
    }
  }

  if (block_size >= 64) {
    __syncthreads();
    step(Phase::down_sweep, 64);
    if (t < block_size / 64) {
      T sum = temp[pad(128 * t + 63)];
      temp[pad(128 * t + 63)] = temp[pad(128 * t + 127)];
      T prefix = temp[pad(128 * t + 127)];
      temp[pad(128 * t + 127)] = op(prefix, sum);
    }
  }

  __syncthreads();
  step(Phase::down_sweep, 32);
  if (t < block_size / 32) {
    T sum = temp[pad(64 * t + 31)];
    temp[pad(64 * t + 31)] = temp[pad(64 * t + 63)];
    T prefix = temp[pad(64 * t + 63)];
    temp[pad(64 * t + 63)] = op(prefix, sum);
  }

  __syncthreads();
  step(Phase::down_sweep, 16);
  if (t < block_size / 16) {
    T sum = temp[pad(32 * t + 15)];
    temp[pad(32 * t + 15)] = temp[pad(32 * t + 31)];
    T prefix = temp[pad(32 * t + 31)];
    temp[pad(32 * t + 31)] = op(prefix, sum);
  }

  __syncthreads();
  step(Phase::down_sweep, 8);
  if (t < block_size / 8) {
    T sum = temp[pad(16 * t + 7)];
    temp[pad(16 * t + 7)] = temp[pad(16 * t + 15)];
    T prefix = temp[pad(16 * t + 15)];
    temp[pad(16 * t + 15)] = op(prefix, sum);
  }

  __syncthreads();
  step(Phase::down_sweep, 4);
  if (t < block_size / 4) {
    T sum = temp[pad(8 * t + 3)];
    temp[pad(8 * t + 3)] = temp[pad(8 * t + 7)];
    T prefix = temp[pad(8 * t + 7)];
    temp[pad(8 * t + 7)] = op(prefix, sum);
  }

  __syncthreads();
  step(Phase::down_sweep, 2);
  if (t < block_size / 2) {
    T sum = temp[pad(4 * t + 1)];
    temp[pad(4 * t + 1)] = temp[pad(4 * t + 3)];
    T prefix = temp[pad(4 * t + 3)];
    temp[pad(4 * t + 3)] = op(prefix, sum);
  }

  __syncthreads();
  step(Phase::down_sweep, 1);
  if (t < block_size) {
    T sum = temp[pad(2 * t)];
    temp[pad(2 * t)] = temp[pad(2 * t + 1)];
    T prefix = temp[pad(2 * t + 1)];
    temp[pad(2 * t + 1)] = op(prefix, sum);
  }

  __syncthreads();
  step(Phase::store);
  if (t < n) out[t] = temp[pad(t)];
  if (t + half < n) out[t + half] = temp[pad(t + half)];
}
