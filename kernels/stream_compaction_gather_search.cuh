// Compaction by gathering
// Idea        Several launches turn the flags of the elements into counts of kept elements. In each launch, each count grows by the count at a certain
//             distance to its left. The distance doubles from launch to launch. Then thread j searches the counts for the element that belongs at place j of the output.
// Gives       selection
// Ladder      stream_compaction: gather_search
// Operators   sum
// Elements    1 per thread
// Blocks      any
// Names       blocks = ceil_div(n, block), passes = log2(2 * n - 1)
// Outputs     out: n, kept: 1 count
// Buffers     counts: n counts, next: n counts
// Shared      none
// Launches    flag<<<blocks, block>>>(in, counts, n);
//             for pass < passes { add_left<<<blocks, block>>>(pass % 2 ? next : counts, pass % 2 ? counts : next, 1 << pass, n) };
//             gather<<<blocks, block>>>(in, passes % 2 ? next : counts, out, kept, n)
// Variants    predicate
// Steps       passes
// Operations  n * passes - (1 << passes) + 1
// Span        passes
// Watch       A thread of an early graphics processor could read from any place in memory, but it could not
//             choose where to write. Therefore each place in the output has a thread. This thread searches
//             for the element of its place, with about log n reads. The launches that compute the counts take about n log n operations.
// Source      [+] Horn, Stream Reduction Operations for GPGPU Applications, GPU Gems 2, ch. 36, 2005; cited by [GEMS]
template <class T>
__global__ void flag(Global<const T> in, Global<Count> flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  step("flag");
  if (i < n) {
    T x = in[i];
    Count one_or_none = keep(x) ? 1 : 0;
    flags[i] = one_or_none;
  }
}

// Adds count i - distance to count i. Before the launch, count i is the number of kept elements among elements i - distance + 1 to i.
template <class T>
__global__ void add_left(Global<const Count> from, Global<Count> to, int distance, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  step(Phase::scan, distance);
  if (i < n) {
    Count count = from[i];
    if (i >= distance) {
      Count left = from[i - distance];
      count = op(left, count);
    }
    to[i] = count;
  }
}

// counts[i] is the number of kept elements among elements 0 to i. Element j of the output is the first element whose count is j + 1.
template <class T>
__global__ void gather(Global<const T> in, Global<const Count> counts, Global<T> out, Global<Count> kept, int n) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;

  step(Phase::load);
  Count total = counts[n - 1];
  if (j == 0) kept[0] = total;

  // A binary search for the first count above j. The first `before` counts are always at most j.
  int before = 0;
  for (int stride = 1 << (31 - __clz(n)); stride > 0; stride /= 2) {
    step("search", stride);
    if (j < total && before + stride <= n) {
      Count count = counts[before + stride - 1];
      if (count <= j) before += stride;
    }
  }

  step("gather");
  if (j < total) {
    T x = in[before];
    out[j] = x;
  }
}
