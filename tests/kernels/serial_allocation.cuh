// Allocation by one thread
// Idea        One thread allocates memory for one request after another.
// Gives       allocation
// Elements    any
// Blocks      one
// Variants    capacity
// Types       uint32
// Operators   sum
// Outputs     out: n, fits: n words, left: 1 word
// Launches    serial_allocation<<<1, block>>>(in, out, fits, left, capacity, n)
// Steps       0
// Operations  n
// Watch       The last request.
// Source      A test of allocations.
template <class T>
__global__ void serial_allocation(Global<const T> in, Global<T> out, Global<unsigned> fits, Global<unsigned> left, int room,
                                  int n) {
  step("allocate");
  if (threadIdx.x == 0) {
    T start = identity<T>();
    unsigned rest = static_cast<unsigned>(room);
    for (int i = 0; i < n; ++i) {
      out[i] = start;
      T length = in[i];
      start = op(start, length);
      const unsigned end = order_bits(start);
      fits[i] = end <= static_cast<unsigned>(room) ? 1u : 0u;
      if (end <= static_cast<unsigned>(room)) rest = static_cast<unsigned>(room) - end;
    }
    left[0] = rest;
  }
}
