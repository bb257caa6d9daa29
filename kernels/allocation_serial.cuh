// Allocation by one thread
// Idea        Requests of different lengths wait in a line, like children who want pieces of a sausage. One
//             thread hands out the pieces, one after another. Each piece starts where the previous piece ends.
// Gives       allocation
// Ladder      allocation: serial
// Types       int32 uint32
// Operators   sum
// Elements    any
// Blocks      any
// Outputs     starts: n, fits: n words, left: 1 word
// Shared      none
// Launches    allocation_serial<<<1, block>>>(in, starts, fits, left, n)
// Variants    capacity
// Steps       n
// Operations  n
// Span        n
// Watch       A request fits if its piece ends within the capacity. One thread hands out all pieces, and the
//             other threads do nothing. Each of the n additions needs the result of the previous addition.
// Source      [W4] week 4, Hwu: Using Scan for Allocation
template <class T>
__global__ void allocation_serial(Global<const T> in, Global<T> starts, Global<unsigned> fits, Global<unsigned> left, int n) {
  const int t = threadIdx.x;
  T start = identity<T>();    // the start of the next request's piece
  long long room = capacity;  // the capacity minus the end of the last piece that fits

  for (int i = 0; i < n; ++i) {
    step("hand_out");
    if (t == 0) {
      T length = in[i];
      starts[i] = start;
      const long long room_behind = capacity - whole(start) - whole(length);
      fits[i] = room_behind >= 0 ? 1u : 0u;
      if (room_behind >= 0 && room_behind < room) room = room_behind;
      start = op(start, length);
    }
  }

  step(Phase::publish);
  if (t == 0) left[0] = static_cast<unsigned>(room);
}
