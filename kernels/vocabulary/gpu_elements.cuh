// Functions of one element: the predicate, the order of a sort, and the value. These functions read no memory and record nothing. src/catalogue/predicate.hpp
// and element_order.hpp compute the same results on the emulator.
#pragma once

#ifdef UPSWEEP_PREDICATE
// Returns whether the chosen predicate is true for x.
__device__ inline bool keep(upsweep::Number x) {
  using namespace upsweep;
  return own::plain(UPSWEEP_PREDICATE) != 0;
}
#endif

// Returns a number that gives the element's position in a sort's order: numbers by value, -0 before +0, NaN last.
__device__ inline unsigned order_bits(int x) { return static_cast<unsigned>(x) ^ 0x80000000u; }
__device__ inline unsigned order_bits(unsigned x) { return x; }
__device__ inline unsigned order_bits(float x) {
  const unsigned bits = __float_as_uint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return ~0u;
  return bits ^ (bits >> 31 ? ~0u : 0x80000000u);
}

// Returns the same integer in a type that can hold the sum of many such integers.
__device__ inline long long whole(int x) { return x; }
__device__ inline long long whole(unsigned x) { return x; }
