// Allocation by scan
// Idea        Each request asks for a piece of one buffer. The piece starts at the sum of the lengths of all earlier requests, so an
//             exclusive scan of the lengths finds all starts. A thread that knows the start of a piece also knows if the request fits.
// Gives       allocation
// Ladder      allocation: scan
// Mends       All threads of the block find the starts of a tile together. A tile takes about 2 log(tile) steps, instead of one step for each request.
// Types       int32 uint32
// Operators   sum
// Elements    any
// Blocks      any
// Threads     power of two
// Names       tile = 2 * block, trips = ceil_div(n, tile)
// Outputs     starts: n, fits: n words, left: 1 word
// Shared      temp: tile
// Launches    allocation<<<1, block>>>(in, starts, fits, left, n)
// Variants    capacity
// Tuning      1024 threads
// Steps       trips * (2 * log2(tile) + 1)
// Operations  trips * (2 * tile - 1)
// Span        trips > 1 ? 2 * log2(tile) + trips - 1 : max(2 * log2(tile) - 1, log2(tile) + 1)
// Watch       The threads need no lock and no common counter. The pieces lie in the order of the requests. One block scans
//             the tiles one after another: the first piece of a tile starts at the end of the previous tile's last piece.
// Source      [W4] week 4, Hwu: Using Scan for Allocation
template <class T>
__global__ void allocation(Global<const T> in, Global<T> starts, Global<unsigned> fits, Global<unsigned> left, int n) {
  Shared<T> temp;
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int tile = 2 * half;
  T before = identity<T>();  // in thread 0: the sum of the tiles that are already scanned
  if (t == 0) left[0] = static_cast<unsigned>(capacity);

  for (int begin = 0; begin < n; begin += tile) {
    step(Phase::load);
    const int a = begin + t, b = begin + t + half;
    T x = identity<T>(), y = identity<T>();
    if (a < n) x = in[a];
    if (b < n) y = in[b];
    temp[t] = x;
    temp[t + half] = y;

    // Blelloch's exclusive scan.
    int stride = 1;
    for (int d = half; d > 0; d /= 2) {
      __syncthreads();
      step(Phase::up_sweep, stride);
      if (t < d) {
        const int ai = stride * (2 * t + 1) - 1;
        const int bi = stride * (2 * t + 2) - 1;
        T left_sum = temp[ai];
        T right_sum = temp[bi];
        temp[bi] = op(left_sum, right_sum);
      }
      stride *= 2;
    }
    step(Phase::clear);
    if (t == 0) {
      T sum = temp[tile - 1];
      temp[tile - 1] = before;
      before = op(before, sum);
    }
    for (int d = 1; d < tile; d *= 2) {
      stride /= 2;
      __syncthreads();
      step(Phase::down_sweep, stride);
      if (t < d) {
        const int ai = stride * (2 * t + 1) - 1;
        const int bi = stride * (2 * t + 2) - 1;
        T sum = temp[ai];
        temp[ai] = temp[bi];
        T prefix = temp[bi];
        temp[bi] = op(prefix, sum);
      }
    }

    // A request fits if its piece ends within the capacity. `left` is the capacity minus the end of the last piece that fits.
    __syncthreads();
    step("hand_out");
    if (a < n) {
      T start = temp[t];
      starts[a] = start;
      const long long room = capacity - whole(start) - whole(x);
      fits[a] = room >= 0 ? 1u : 0u;
      if (room >= 0 && room < capacity) atomicMin(&left[0], static_cast<unsigned>(room));
    }
    if (b < n) {
      T start = temp[t + half];
      starts[b] = start;
      const long long room = capacity - whole(start) - whole(y);
      fits[b] = room >= 0 ? 1u : 0u;
      if (room >= 0 && room < capacity) atomicMin(&left[0], static_cast<unsigned>(room));
    }
  }
}
