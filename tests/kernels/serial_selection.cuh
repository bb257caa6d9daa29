// Selection by one thread
// Idea        One thread walks through the array and stores the elements that it keeps.
// Gives       selection
// Elements    any
// Blocks      one
// Variants    predicate
// Needs       scalar
// Outputs     out: n, kept: 1 word
// Launches    serial_selection<<<1, block>>>(in, out, kept, n)
// Steps       0
// Operations  0
// Watch       The other threads do nothing.
// Source      A test of selections.
template <class T>
__global__ void serial_selection(Global<const T> in, Global<T> out, Global<unsigned> kept, int n) {
  unsigned count = 0;
  step("select");
  if (threadIdx.x == 0) {
    for (int i = 0; i < n; ++i) {
      T x = in[i];
      if (keep(x)) {
        out[count] = x;
        ++count;
      }
    }
    kept[0] = count;
  }
}
