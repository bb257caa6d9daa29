#include "catalogue/own_operator.hpp"

#include <fmt/format.h>

#include <cmath>

#include "trace/value.hpp"

namespace upsweep {

std::string own_identity_source(const Settings& s) {
  const long double x = scalar(own_identity(s.identity, s.type), s.type);
  if (is_real(s.type)) {
    const std::string size = cuda_number(static_cast<double>(std::abs(x)), 0, s.type);
    return x < 0 ? "own::negate(" + size + ")" : size;
  }
  const auto whole = static_cast<std::int64_t>(x);
  if (whole >= 0) return cuda_number(0, whole, s.type);
  // C++ has no literal for the lowest integer, so it is computed.
  return fmt::format("own::minus(own::negate({}), {})", cuda_number(0, -(whole + 1), s.type),
                     cuda_number(0, 1, s.type));
}

void choose_own(Settings& s, std::string_view expression, std::string_view identity) {
  s.op = Operator::own;
  s.expression = OwnOperator(expression).text();
  s.identity = identity;
}

}  // namespace upsweep
