#include "catalogue/own_operator.hpp"

#include "trace/value.hpp"

namespace upsweep {

std::string own_identity_source(const Settings& s) {
  const long double x = scalar(own_identity(s.identity, s.type), s.type);
  return cuda_number(static_cast<double>(x), is_real(s.type) ? 0 : static_cast<std::int64_t>(x), s.type);
}

void choose_own(Settings& s, std::string_view expression, std::string_view identity) {
  s.op = Operator::own;
  s.expression = OwnOperator(expression).text();
  s.identity = identity;
}

}  // namespace upsweep
