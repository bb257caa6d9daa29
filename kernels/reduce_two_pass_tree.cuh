// Two-pass tree reduction
// Idea        Each thread adds up its share of the array in a register. Each block adds up its
//             threads' sums with a tree in shared memory. A second launch adds up the blocks' sums.
// Gives       reduction
// Elements    any
// Blocks      any
// Threads     power of two
// Needs       commutative
// Names       blocks = min(grid, ceil_div(n, block)), threads = min(block, max(32, tree_width(blocks)))
// Buffers     sums: blocks
// Shared      temp: block
// Launches    reduce_two_pass_tree<<<blocks, block>>>(in, sums, n); reduce_two_pass_tree<<<1, threads>>>(sums, out, blocks)
// Variants    tree halving|strided
// Steps       (n > blocks * block) + (blocks > threads) + log2(block) + log2(threads)
// Operations  max(n, blocks * block) + max(blocks, threads) - blocks - 1
// Span        max(0, n / (blocks * block) - 1) + log2(block) + max(0, blocks / threads - 1) + log2(threads)
// Watch       The tree takes log2(block) steps. In reduce_two_pass, thread 0 makes block - 1 additions alone. The tree does not grow
//             with n. So a larger array makes the tree's share of the work smaller, even if the tree is strided and has bank conflicts.
// Source      [OF] A classic problem of CUDA: reduction, OneFlow, 2021
template <class T>
__global__ void reduce_two_pass_tree(Global<const T> in, Global<T> out, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int first = blockIdx.x * threads + t;
  const int all = gridDim.x * threads;  // the number of threads in the grid

  // Each thread adds up its share of the array. A thread without a share uses the identity.
  step(Phase::fold);
  T sum = identity<T>();
  if (first < n) sum = in[first];
  for (int i = first + all; i < n; i += all) {
    T x = in[i];
    sum = op(sum, x);
  }
  temp[t] = sum;

  if (halving) {
    // Add the upper half to the lower half, element by element.
    for (int stride = threads / 2; stride > 0; stride /= 2) {
      __syncthreads();
      step(Phase::reduce, stride);
      if (t < stride) {
        T near = temp[t];
        T far = temp[t + stride];
        temp[t] = op(near, far);
      }
    }
  } else {
    // Add neighbours: pair t begins at element 2 * stride * t, so several pairs begin in the same bank.
    for (int stride = 1; stride < threads; stride *= 2) {
      __syncthreads();
      step(Phase::reduce, stride);
      const int i = 2 * stride * t;
      if (i < threads) {
        T left = temp[i];
        T right = temp[i + stride];
        temp[i] = op(left, right);
      }
    }
  }

  // No barrier is needed, because thread 0 loads a value that thread 0 itself stored.
  step(Phase::store);
  if (t == 0) out[blockIdx.x] = temp[0];
}
