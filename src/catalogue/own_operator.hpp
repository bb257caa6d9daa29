// Computes operators that a user typed. An operator is a C expression in a and b, such as "a + b - a * b".
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "catalogue/typed_formula.hpp"

namespace upsweep {

struct Algorithm;

class OwnOperator : public TypedFormula {
 public:
  // Throws RequestError if the text is not an expression in a and b.
  explicit OwnOperator(std::string_view text) : TypedFormula(text, {"a", "b"}) {}
  Value operator()(Scalar type, const Value& a, const Value& b) const { return value(type, {&a, &b}); }
  Wide operator()(const Wide& a, const Wide& b) const { return wide({a, b}); }
};

// Reads the identity of a user's operator. Throws RequestError if the text is not a number of this type.
Value own_identity(const std::string& text, Scalar type);

// Returns the identity of a user's operator as CUDA C++ source.
std::string own_identity_source(const Settings& s);

// Puts a user's operator into the settings, in the form of OwnOperator::text(). Throws RequestError if the
// expression is invalid.
void choose_own(Settings& s, std::string_view expression, std::string_view identity);

// Throws RequestError if an operator is not associative for numbers of a type, or if the type does not
// support the operator.
void expect_associative(std::string_view expression, Scalar type);

// Checks the operator of the settings if it is a user's operator. Throws RequestError in these cases:
// - The expression or the identity does not fit the type.
// - The operator is not associative, or has another identity.
// - The algorithm needs a commutative operator, but the operator is not commutative.
// The check uses numbers of `input` (or digits if `input` is empty) and results of the operator.
void expect_lawful(const Algorithm& a, const Settings& s, std::span<const Value> input = {});

}  // namespace upsweep
