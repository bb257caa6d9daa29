// Functions of an element
// Idea        Each thread keeps its element if the predicate is true. Otherwise, the thread keeps its element or the
//             previous element, whichever a sort puts first.
// Gives       copy
// Elements    any
// Blocks      any
// Variants    predicate
// Types       int32 uint32 float32
// Needs       scalar
// Launches    elements<<<ceil_div(n, block), block>>>(in, out, n)
// Steps       0
// Operations  0
// Watch       The output is no copy.
// Source      A test of functions of an element.
template <class T>
__global__ void elements(Global<const T> in, Global<T> out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  step(Phase::store);
  if (i < n) {
    T x = in[i];
    T y = in[i == 0 ? n - 1 : i - 1];
    bool first = keep(x);
    if (!first) first = order_bits(x) <= order_bits(y);
    out[i] = first ? x : y;
  }
}
