// Contains the source text of the kernels that LargeCheck runs. These kernels are compiled like a kernel
// file, and can use the element type T, the operator op and its identity. The threads loop over the array
// with a stride, except in total_of_parts.
#pragma once

namespace upsweep {

// make_data writes elements for which no operation rounds, in any order of the operations:
// - Sums: random integers, or floats that are whole numbers from -8 to 8, whose partial sums stay far below
//   2^24. float16 has all whole numbers only up to 2^11, so about 1,000 elements are 1 or -1, and the others
//   are 0.
// - Products: the floats 1 and -1, or odd integers, because even integers would soon make the product 0.
// - Minimum and maximum: the elements decrease along the array for a minimum, and increase for a maximum. So
//   the result of a scan changes along the whole array.
// - Affine maps x -> a x + b: `a` is as for products, `b` as for sums.
//
// The other kernels:
// - number_words writes 0, 1, 2, ...: the contents of every input after the first.
// - check_scan and check_copy set `first_wrong` to the smallest index of a wrong element.
// - In total_of_parts, thread t combines the t-th part of the array in order.
inline constexpr const char* check_kernels = R"(
using One = upsweep::Number;

template <class N>
struct Make {
  static constexpr bool whole = upsweep::is_integer<N>;
  static __device__ N one_signed(bool minus) { return minus ? N(-1) : N(1); }
  static __device__ N summand(unsigned long long bits, int) {
    return whole ? N(bits) : N(static_cast<int>(bits % 17) - 8);
  }
  static __device__ N factor(unsigned long long bits) { return whole ? N(bits | 1) : one_signed(bits & 1); }
  static __device__ N rising(long long i, long long) { return N(i + 1); }
  static __device__ N falling(long long i, long long n) {
    return whole ? N(n + 1000 - i) : N(-static_cast<double>(i + 1));
  }
};
template <>
struct Make<upsweep::Half> {
  using Half = upsweep::Half;
  static __device__ Half one_signed(bool minus) { return {static_cast<unsigned short>(minus ? 0xbc00 : 0x3c00)}; }
  static __device__ Half summand(unsigned long long bits, int n) {
    return (bits >> 8) % (n / 1000 + 1) == 0 ? one_signed(bits & 1) : Half{0};
  }
  static __device__ Half factor(unsigned long long bits) { return one_signed(bits & 1); }
  // Positive float16 numbers are in the same order as their bits.
  static __device__ Half rising(long long i, long long n) {
    return {static_cast<unsigned short>(1 + 30000 * i / (n + 1000))};
  }
  static __device__ Half falling(long long i, long long n) {
    return {static_cast<unsigned short>(0x8000 | rising(i, n).bits)};
  }
};

__device__ void make(One& x, unsigned long long bits, long long i, int n) {
  const long long near = i + static_cast<long long>(bits % 1000);
  if (upsweep::chosen == upsweep::Operation::product) x = Make<One>::factor(bits);
  else if (upsweep::chosen == upsweep::Operation::max) x = Make<One>::rising(near, n);
  else if (upsweep::chosen == upsweep::Operation::min) x = Make<One>::falling(near, n);
  else x = Make<One>::summand(bits, n);
}
__device__ void make(Affine<One>& x, unsigned long long bits, long long, int n) {
  x = {Make<One>::factor(bits), Make<One>::summand(bits >> 20, n)};
}

template <class T>
__global__ void make_data(Global<T> data, int n, int seed) {
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    T x;
    make(x, random_bits(i, seed), i, n);
    data[i] = x;
  }
}

template <class T>
__global__ void number_words(Global<unsigned> to, int n) {
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x)
    to[i] = static_cast<unsigned>(i);
}

template <class T>
__device__ bool same(const T& x, const T& y) {
  const auto* a = reinterpret_cast<const unsigned short*>(&x);
  const auto* b = reinterpret_cast<const unsigned short*>(&y);
  bool equal = true;
  for (unsigned i = 0; i < sizeof(T) / 2; ++i) equal = equal && a[i] == b[i];
  return equal;
}

template <class T>
__global__ void check_scan(Global<const T> in, Global<const T> out, Global<unsigned> first_wrong, int n, int is_exclusive) {
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    T expected;
    if (i == 0) expected = is_exclusive ? identity<T>() : in[0];
    else expected = op(out[i - 1], in[i - is_exclusive]);
    if (!same<T>(out[i], expected)) atomicMin(&first_wrong[0], static_cast<unsigned>(i));
  }
}

template <class T>
__global__ void check_copy(Global<const T> in, Global<const T> out, Global<unsigned> first_wrong, int n) {
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x)
    if (!same<T>(out[i], in[i])) atomicMin(&first_wrong[0], static_cast<unsigned>(i));
}

template <class T>
__global__ void total_of_parts(Global<const T> in, Global<T> totals, int n) {
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  const long long t = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  T total = identity<T>();
  for (long long i = n * t / threads; i < n * (t + 1) / threads; ++i) total = op(total, in[i]);
  totals[t] = total;
}
)";

// Some results cannot be checked by applying the operator again. The following kernels check such results:
// - A selection: thread t counts the elements that the predicate keeps in part t of the input. Then thread t
//   compares these elements with the output, from index first[t] on.
// - A sort: neighbours must be in order, and each of two hash sums must have the same value for the input and
//   the output.
// - A sort with values: each value must be the index of its key in the input, and the values of equal keys
//   must ascend.
// - A summed-area table: out[here] combined with out[above left] must equal out[left] combined with
//   out[above] and in[here]. make_pixels writes the input: each store writes four random one-byte pixels.
// - A recurrence: each y must follow from the previous y.
inline constexpr const char* check_selection = R"(
template <class T>
__global__ void count_kept(Global<const T> in, Global<unsigned> counts, int n) {
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  const long long t = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  unsigned count = 0;
  for (long long i = n * t / threads; i < n * (t + 1) / threads; ++i) count += keep(in[i]);
  counts[t] = count;
}
template <class T>
__global__ void check_kept(Global<const T> in, Global<const T> out, Global<unsigned> first, Global<unsigned> first_wrong, int n) {
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  const long long t = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  unsigned at = first[t];
  for (long long i = n * t / threads; i < n * (t + 1) / threads; ++i)
    if (keep(in[i])) {
      if (!same<T>(out[at], in[i])) atomicMin(&first_wrong[0], at);
      ++at;
    }
}
)";
inline constexpr const char* check_sorting = R"(
template <class T>
__global__ void check_order(Global<const T> out, Global<unsigned> first_wrong, int n) {
  for (long long i = 1 + blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x)
    if (order_bits(out[i]) < order_bits(out[i - 1])) atomicMin(&first_wrong[0], static_cast<unsigned>(i));
}
template <class T>
__global__ void hash_keys(Global<const T> keys, Global<unsigned> sums, int n) {
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    unsigned bits;
    memcpy(&bits, &keys[i], 4);
    const unsigned long long hash = random_bits(bits, 1);
    atomicAdd(&sums[0], static_cast<unsigned>(hash));
    atomicAdd(&sums[1], static_cast<unsigned>(hash >> 32));
  }
}
template <class T>
__global__ void check_values(Global<const T> in, Global<const T> out, Global<const unsigned> values,
                             Global<unsigned> first_wrong, int n) {
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    const bool is_place = values[i] < static_cast<unsigned>(n);
    const bool ascends = i == 0 || order_bits(out[i]) != order_bits(out[i - 1]) || values[i] > values[i - 1];
    if (!is_place || !ascends || !same<T>(in[values[i]], out[i])) atomicMin(&first_wrong[0], static_cast<unsigned>(i));
  }
}
)";
inline constexpr const char* check_areas = R"(
template <class T>
__global__ void make_pixels(Global<unsigned> four_each, int n, int seed) {
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x)
    four_each[i] = static_cast<unsigned>(random_bits(i, seed));
}

template <class T>
__global__ void check_areas(Global<const Pixel<T>> in, Global<const T> out, Global<unsigned> first_wrong, int n, int row, int each) {
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    const bool has_left = i % row >= each, has_above = i >= row;
    const T none = identity<T>(), left = has_left ? out[i - each] : none, above = has_above ? out[i - row] : none;
    const T corner = has_left && has_above ? out[i - row - each] : none;
    if (!same<T>(op(out[i], corner), op(op(left, above), in[i]))) atomicMin(&first_wrong[0], static_cast<unsigned>(i));
  }
}
)";
inline constexpr const char* check_recurrence = R"(
template <class T>
__global__ void check_recurrence(Global<const T> in, Global<const unsigned> numbers, Global<unsigned> first_wrong, int n) {
  const One* y = reinterpret_cast<const One*>(numbers);
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    T before = identity<T>();
    if (i > 0) before.b = y[i - 1];
    const T due = op(before, in[i]);
    if (!same<One>(y[i], due.b)) atomicMin(&first_wrong[0], static_cast<unsigned>(i));
  }
}
)";

}  // namespace upsweep
