// Sorting by ranks
// Idea        Each thread counts the keys that come before its own key. This number is the key's place.
// Gives       sorting
// Elements    any
// Blocks      any
// Variants    keys alone|pairs
// Types       int32 uint32 float32
// Needs       scalar
// Inputs      in: n, values: n words if pairs
// Outputs     out: n, out_values: n words if pairs
// Launches    rank_sorting<<<ceil_div(n, block), block>>>(in, values, out, out_values, n, pairs)
// Steps       0
// Operations  0
// Watch       Equal keys keep their order.
// Source      A test of sorting.
template <class T>
__global__ void rank_sorting(Global<const T> in, Global<const unsigned> values, Global<T> out, Global<unsigned> out_values,
                             int n, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  step("rank");
  if (i < n) {
    T key = in[i];
    const unsigned mine = order_bits(key);
    int rank = 0;
    for (int k = 0; k < n; ++k) {
      T other = in[k];
      const unsigned theirs = order_bits(other);
      if (theirs < mine || (theirs == mine && k < i)) ++rank;
    }
    out[rank] = key;
    if (pairs) out_values[rank] = values[i];
  }
}
