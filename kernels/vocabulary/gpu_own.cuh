// Defines the operations of an operator or a predicate that a user typed. Each operation is rounded separately: the compiler must not fuse two
// operations. src/catalogue/typed_formula.cpp computes the same results on the emulator.
#pragma once

namespace upsweep {
namespace own {

template <class N>
struct Bits;
template <>
struct Bits<int> {
  using type = unsigned;
};
template <>
struct Bits<unsigned> {
  using type = unsigned;
};
template <>
struct Bits<long long> {
  using type = unsigned long long;
};

// Operations on halves are computed with floats, and then rounded to a half. So the result is correctly rounded.
__device__ inline float wide(Half x) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits));
  return y;
}
__device__ inline Half narrow(float x) {
  Half y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
  return y;
}

// Returns the number in a type that has comparison operators.
template <class N>
__device__ inline N plain(N x) {
  return x;
}
__device__ inline float plain(Half x) { return wide(x); }

template <class N>
struct Truth {
  static __device__ N of(bool x) { return x ? N(1) : N(0); }
};
template <>
struct Truth<Half> {
  static __device__ Half of(bool x) { return narrow(x ? 1.0f : 0.0f); }
};

__device__ inline float plus(float x, float y) { return __fadd_rn(x, y); }
__device__ inline float minus(float x, float y) { return __fsub_rn(x, y); }
__device__ inline float times(float x, float y) { return __fmul_rn(x, y); }
__device__ inline float over(float x, float y) { return __fdiv_rn(x, y); }
__device__ inline double plus(double x, double y) { return __dadd_rn(x, y); }
__device__ inline double minus(double x, double y) { return __dsub_rn(x, y); }
__device__ inline double times(double x, double y) { return __dmul_rn(x, y); }
__device__ inline double over(double x, double y) { return __ddiv_rn(x, y); }
__device__ inline Half plus(Half x, Half y) { return narrow(plus(wide(x), wide(y))); }
__device__ inline Half minus(Half x, Half y) { return narrow(minus(wide(x), wide(y))); }
__device__ inline Half times(Half x, Half y) { return narrow(times(wide(x), wide(y))); }
__device__ inline Half over(Half x, Half y) { return narrow(over(wide(x), wide(y))); }

// Integers wrap around on overflow, and a division by zero returns 0.
template <class N>
__device__ inline N plus(N x, N y) {
  using U = typename Bits<N>::type;
  return static_cast<N>(static_cast<U>(x) + static_cast<U>(y));
}
template <class N>
__device__ inline N minus(N x, N y) {
  using U = typename Bits<N>::type;
  return static_cast<N>(static_cast<U>(x) - static_cast<U>(y));
}
template <class N>
__device__ inline N times(N x, N y) {
  using U = typename Bits<N>::type;
  return static_cast<N>(static_cast<U>(x) * static_cast<U>(y));
}
template <class N>
__device__ inline bool is_minus_one(N y) {
  return N(-1) < N(0) && y == N(-1);
}
template <class N>
__device__ inline N over(N x, N y) {
  return y == 0 ? N(0) : is_minus_one(y) ? minus(N(0), x) : x / y;
}
template <class N>
__device__ inline N rest(N x, N y) {
  return y == 0 || is_minus_one(y) ? N(0) : x % y;
}
template <class N>
__device__ inline bool beyond(N count) {
  return static_cast<typename Bits<N>::type>(count) >= 8 * sizeof(N);  // a negative count becomes a large count
}
template <class N>
__device__ inline N shl(N x, N y) {
  return beyond(y) ? N(0) : static_cast<N>(static_cast<typename Bits<N>::type>(x) << y);
}
template <class N>
__device__ inline N shr(N x, N y) {
  return beyond(y) ? (x < N(1) && x != N(0) ? N(-1) : N(0)) : x >> y;
}
template <class N>
__device__ inline N bit_or(N x, N y) {
  return x | y;
}
template <class N>
__device__ inline N bit_xor(N x, N y) {
  return x ^ y;
}
template <class N>
__device__ inline N bit_and(N x, N y) {
  return x & y;
}
template <class N>
__device__ inline N complement(N x) {
  return ~x;
}

template <class N>
__device__ inline N negate(N x) {
  return minus(N(0), x);
}
__device__ inline float negate(float x) { return -x; }
__device__ inline double negate(double x) { return -x; }
__device__ inline Half negate(Half x) { return narrow(-wide(x)); }

template <class N>
__device__ inline N negation(N x) {
  return Truth<N>::of(plain(x) == 0);
}
template <class N>
__device__ inline N both(N x, N y) {
  return Truth<N>::of(plain(x) != 0 && plain(y) != 0);
}
template <class N>
__device__ inline N either(N x, N y) {
  return Truth<N>::of(plain(x) != 0 || plain(y) != 0);
}
template <class N>
__device__ inline N equal(N x, N y) {
  return Truth<N>::of(plain(x) == plain(y));
}
template <class N>
__device__ inline N unequal(N x, N y) {
  return Truth<N>::of(plain(x) != plain(y));
}
template <class N>
__device__ inline N less(N x, N y) {
  return Truth<N>::of(plain(x) < plain(y));
}
template <class N>
__device__ inline N less_equal(N x, N y) {
  return Truth<N>::of(plain(x) <= plain(y));
}
template <class N>
__device__ inline N more(N x, N y) {
  return Truth<N>::of(plain(x) > plain(y));
}
template <class N>
__device__ inline N more_equal(N x, N y) {
  return Truth<N>::of(plain(x) >= plain(y));
}
template <class N>
__device__ inline N smaller(N x, N y) {
  return plain(y) < plain(x) ? y : x;
}
template <class N>
__device__ inline N larger(N x, N y) {
  return plain(x) < plain(y) ? y : x;
}
template <class N>
__device__ inline N choose(N condition, N yes, N no) {
  return plain(condition) != 0 ? yes : no;
}

}  // namespace own

#ifdef UPSWEEP_OWN_OPERATOR
template <>
struct Operator<Operation::own> {
  using Element = Number;
  static __device__ Number identity() { return UPSWEEP_OWN_IDENTITY; }
  static __device__ Number combine(Number a, Number b) { return UPSWEEP_OWN_OPERATOR; }
};
#endif

}  // namespace upsweep
