// What kernels are written in, on a GPU: the part that both machines, fast and traced, share. Included before
// a kernel's text, so that the text keeps its own line numbers. `settings.cuh` is generated from what a
// person asked for and defines
//   Phase       what a step does
//   neighbours  whether a thread loads elements 2t and 2t + 1
//   pad(i)      where element i lies in shared memory, in cells
// and in namespace upsweep
//   Number      the scalar; lowest() and largest() are its extreme finite values
//   Operation   the operators; Chosen is Operator of the one chosen
#pragma once

namespace upsweep {

// Shifts by 32 or more give 0 (for negative numbers to the right: -1), whatever the compiler makes of them.
__device__ inline int shift_left(int i, int count) {
  return count < 0 || count > 31 ? 0 : static_cast<int>(static_cast<unsigned>(i) << count);
}
__device__ inline int shift_right(int i, int count) {
  return count < 0 || count > 31 ? (i < 0 ? -1 : 0) : i >> count;
}

}  // namespace upsweep

#include "settings.cuh"

// The affine map x -> a*x + b.
template <class N>
struct alignas(2 * sizeof(N)) Affine {
  N a, b;
};

namespace upsweep {

// Integers wrap.
__device__ inline int add(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
__device__ inline int multiply(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
}
template <class N>
__device__ inline N add(N a, N b) {
  return a + b;
}
template <class N>
__device__ inline N multiply(N a, N b) {
  return a * b;
}

template <Operation o>
struct Operator {
  using Element = Number;
  static __device__ Number identity() {
    return o == Operation::product ? Number(1)
           : o == Operation::min   ? largest()
           : o == Operation::max   ? lowest()
                                   : Number(0);
  }
  static __device__ Number combine(Number a, Number b) {
    if constexpr (o == Operation::product) return multiply(a, b);
    else if constexpr (o == Operation::min) return b < a ? b : a;
    else if constexpr (o == Operation::max) return a < b ? b : a;
    else return add(a, b);
  }
};

template <>
struct Operator<Operation::affine> {
  using Element = Affine<Number>;
  static __device__ Element identity() { return {Number(1), Number(0)}; }
  // First f, then g.
  static __device__ Element combine(Element f, Element g) {
    return {multiply(f.a, g.a), add(multiply(g.a, f.b), g.b)};
  }
};

using Plain = Chosen::Element;

extern __shared__ __align__(16) unsigned char shared_memory[];  // the block's dynamic shared memory

}  // namespace upsweep

// n rounded up to a power of two, at least 2: the leaves of a tree over n elements.
__device__ inline int tree_width(int n) { return n <= 2 ? 2 : 1 << (32 - __clz(n - 1)); }
