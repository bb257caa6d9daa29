// Predicates: conditions on an element, such as "x > 3 && x % 2 == 0". A stream compaction keeps the elements
// for which the predicate is true.
#pragma once
#include <string>
#include <string_view>

#include "catalogue/choice.hpp"
#include "catalogue/typed_formula.hpp"

namespace upsweep {

// An expression in x, computed in the type of the elements. It is true if its value is not 0.
class Predicate : public TypedFormula {
 public:
  // Throws RequestError if the text is not an expression in x.
  explicit Predicate(std::string_view text) : TypedFormula(text, {"x"}) {}
  bool operator()(Scalar type, const Value& x) const { return is_true(type, {&x}); }
};

// Returns the formula of a predicate, such as "x > 0" for positive. If the user typed a formula, returns it
// unchanged.
std::string predicate_formula(std::string_view predicate);

// Returns the predicate that the settings choose, by default `positive`.
Predicate predicate_of(const Settings& s);

// Returns the choice `predicate`. Its options are the predicates that have a name.
Choice predicate_choice();

}  // namespace upsweep
