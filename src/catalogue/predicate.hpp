// Computes predicates. A predicate is a condition on an element, such as "x > 3 && x % 2 == 0". A stream
// compaction keeps the elements for which the predicate is true.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/choice.hpp"
#include "catalogue/typed_formula.hpp"

namespace upsweep {

// An expression in x that is computed in the type of the elements. The predicate is true if the expression's
// value is not 0.
class Predicate : public TypedFormula {
 public:
  // Throws RequestError if the text is not an expression in x.
  explicit Predicate(std::string_view text) : TypedFormula(text, {"x"}) {}
  bool operator()(Scalar type, const Value& x) const { return is_true(type, {&x}); }
};

// Returns the formula of a predicate, such as "x > 0" for positive. If the user typed a formula, returns it
// unchanged.
std::string predicate_formula(std::string_view predicate);

// Returns the name or the formula of the predicate that the settings choose, by default `positive`.
std::string chosen_predicate(const Settings& s);
Predicate predicate_of(const Settings& s);

// Different numbers that a predicate keeps, and different numbers that it drops.
struct PredicateExamples {
  std::vector<Value> kept, dropped;
};
// Returns at most `most` numbers that the predicate keeps, and at most `most` numbers that it drops. The
// result contains no infinity and no NaN. The same arguments always produce the same numbers.
//
// Tries small numbers first, then powers of two and their neighbours. Then tries the formula's numbers, their
// neighbours and the numbers between them, and finally random numbers.
PredicateExamples examples_of(const Predicate& keep, Scalar type, std::size_t most);

// Returns the choice `predicate`. Its options are the predicates that have a name.
Choice predicate_choice();

}  // namespace upsweep
