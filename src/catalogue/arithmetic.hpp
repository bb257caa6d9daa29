// From settings to code that is compiled for their type and operator.
#pragma once
#include <cstdint>
#include <type_traits>

#include "trace/settings.hpp"

namespace upsweep {

// Calls f with the operator as a std::integral_constant.
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

// Calls f with a zero of the type that computes as a scalar does; int32 wraps as uint32 but compares signed.
template <class F>
auto with_arithmetic(const Settings& s, F f) {
  switch (s.type) {
    case Scalar::float32: return f(float{});
    case Scalar::float64: return f(double{});
    case Scalar::int32:
      if (s.op == Operator::min || s.op == Operator::max) return f(std::int32_t{});
      [[fallthrough]];
    default: return f(std::uint32_t{});
  }
}

}  // namespace upsweep
