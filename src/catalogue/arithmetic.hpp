// Calls code that is compiled for the type and the operator of the settings.
#pragma once
#include <cstdint>
#include <type_traits>

#include "base/half.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// Calls f with the operator as a compile-time constant (std::integral_constant). `op` must not be
// Operator::own.
template <class F>
auto with_operator(Operator op, F f) {
  using enum Operator;
  switch (op) {
    case product: return f(std::integral_constant<Operator, product>{});
    case min: return f(std::integral_constant<Operator, min>{});
    case max: return f(std::integral_constant<Operator, max>{});
    case affine: return f(std::integral_constant<Operator, affine>{});
    default: return f(std::integral_constant<Operator, sum>{});
  }
}

// Calls f(zero). The type of `zero` is the C++ type in which runs with these settings compute. Sums, products
// and maps of signed integers use the unsigned type, because unsigned integers wrap around.
template <class F>
auto with_arithmetic(const Settings& s, F f) {
  const bool compares = s.op == Operator::min || s.op == Operator::max;
  switch (s.type) {
    case Scalar::float16: return f(Half{});
    case Scalar::float32: return f(float{});
    case Scalar::float64: return f(double{});
    case Scalar::int64: return compares ? f(std::int64_t{}) : f(std::uint64_t{});
    case Scalar::int32: return compares ? f(std::int32_t{}) : f(std::uint32_t{});
    default: return f(std::uint32_t{});
  }
}

}  // namespace upsweep
