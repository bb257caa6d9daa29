#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/own_operator.hpp"
#include "options/options.hpp"

namespace upsweep {

void read_operator(const RunOptions& o, Fixed& f) {
  const auto* known = std::ranges::find(operator_names, o.op.value_or("sum"));
  if (o.identity && (!o.op || known != std::end(operator_names)))
    throw RequestError(
        tr("--identity is only for your own operator, such as --op 'a + b - a*b'. For the built-in "
           "operators, leave --identity out."));
  if (!o.op) return;
  if (*o.op == "mean")
    throw RequestError(
        tr("The mean is not an associative operator. Choose a reduction with the operator sum, because "
           "`upsweep trace` then also prints the mean."));
  const bool is_word = std::ranges::all_of(*o.op, [](unsigned char c) { return std::isalpha(c) != 0; });
  if (known != std::end(operator_names) || (is_word && !o.identity)) {
    f.op = static_cast<Operator>(one_of("--op", *o.op, operator_names));
    return;
  }
  f.op = Operator::own;
  f.expression = OwnOperator(*o.op).text();
  if (!o.identity) {
    // First checks that the operator is associative. No identity can help an operator that is not
    // associative, so the user must not be asked for an identity.
    expect_associative(f.expression, f.type.value_or(Settings{}.type));
    throw RequestError(
        tr("The operator {} needs an identity: give --identity V, a number for which V op x = x.",
           f.expression));
  }
  f.identity = *o.identity;
}

}  // namespace upsweep
