// Computes the largest error that rounding can cause in a float result. See check() in data.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "base/half.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// The one or two numbers of an element. Only affine maps use `b`.
template <class N>
struct Scalars {
  N a{}, b{};
};

// The type in which the oracle computes.
template <class N>
using Wide = std::conditional_t<std::is_same_v<N, float> || std::is_same_v<N, Half>, double,
                                std::conditional_t<std::is_same_v<N, double>, long double, N>>;

// A float result in wide arithmetic. The bounds hold for the intermediate results in any order of the
// operations.
template <class W>
struct Bounded {
  Scalars<W> value;
  Scalars<W> size;           // the result for absolute values; the error bound is proportional to `size`
  W largest = 1, least = 1;  // the product of all factors above 1, and of all factors below 1
  W summands = 0;            // the sum of the summands' absolute values
};

// The largest error that rounding can cause in a result of type N.
template <class N>
class Tolerance {
 public:
  using W = Wide<N>;
  // `count` is the number of inputs that affect the element. `exact` is the result of exact_in_any_order().
  Tolerance(Operator op, const Bounded<W>& due, std::size_t count, bool exact) {
    const W k = static_cast<W>(op == Operator::affine ? 3 * count : count);
    constexpr W u = static_cast<W>(std::numeric_limits<N>::epsilon()) / 2,
                wide_u = std::numeric_limits<W>::epsilon() / 2;
    if (exact) return;
    gamma_ = (op == Operator::sum ? k * u : std::expm1(k * std::log1p(u))) + 2 * k * wide_u;
    const W summands = op == Operator::product ? 0 : due.summands,
            greatest = op == Operator::sum ? summands : due.largest * std::max<W>(1, summands);
    overflows_ = !(greatest * (1 + gamma_) <= static_cast<W>(std::numeric_limits<N>::max()));
    if (op == Operator::sum) return;
    // The expected result is not known if wide arithmetic may have overflowed or underflowed.
    unknown_ = !(greatest <= std::numeric_limits<W>::max()) || due.least < std::numeric_limits<W>::min();
    const W lost = k * static_cast<W>(std::numeric_limits<N>::denorm_min()) * due.largest;
    if (due.least < 2 * static_cast<W>(std::numeric_limits<N>::min())) lost_in_factors_ = lost;
    if (op == Operator::affine) lost_in_summands_ = lost + lost_in_factors_ * summands;
  }

  bool allows_factor(W is, W exactly, W size) const { return allows(is, exactly, size, lost_in_factors_); }
  bool allows_summand(W is, W exactly, W size) const { return allows(is, exactly, size, lost_in_summands_); }

 private:
  bool allows(W is, W exactly, W size, W lost) const {
    if (unknown_ || is == exactly || is == static_cast<W>(static_cast<N>(exactly))) return true;
    return std::isfinite(is) ? std::abs(is - exactly) <= gamma_ * size + lost : overflows_;
  }
  W gamma_ = 0;            // the relative error
  W lost_in_factors_ = 0;  // the absolute errors of products that underflow
  W lost_in_summands_ = 0;
  bool overflows_ = false;  // true if some order of the operations can leave the range of N
  bool unknown_ = false;
};

}  // namespace upsweep
