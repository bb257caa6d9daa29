// Reversal of keys and values
// Idea        Keys and the values beside them are stored in reverse order. Each block also stores how many blocks came before it.
// Gives       copy
// Elements    1 per thread
// Blocks      any
// Variants    keys pairs|alone
// Names       tiles = ceil_div(n, block)
// Inputs      in: n, values: n words if pairs
// Outputs     out: n, out_values: n words if pairs, turns: tiles words
// Buffers     ticket: 1 word
// Shared      none
// Launches    reverse_pairs<<<tiles, block>>>(in, values, out, out_values, turns, ticket, n, pairs)
// Steps       0
// Operations  0
// Watch       The values.
// Source      A test of several inputs and outputs.
template <class T>
__global__ void reverse_pairs(Global<const T> in, Global<const unsigned> values, Global<T> out, Global<unsigned> out_values,
                              Global<unsigned> turns, Global<unsigned> ticket, int n, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  step(Phase::load);
  if (i < n) {
    out[n - 1 - i] = in[i];
    if (pairs) out_values[n - 1 - i] = values[i];
  }
  if (threadIdx.x == 0) turns[blockIdx.x] = atomicAdd(&ticket[0], 1u);
}
