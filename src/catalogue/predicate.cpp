#include "catalogue/predicate.hpp"

#include <algorithm>
#include <iterator>

namespace upsweep {
namespace {

struct NamedPredicate {
  const char *name, *formula;
  bool integers_only = false;
};
constexpr NamedPredicate named_predicates[] = {{"positive", "x > 0"},
                                               {"nonzero", "x != 0"},
                                               {"above_3", "x > 3"},
                                               {"odd", "x % 2 != 0", true},
                                               {"multiple_of_3", "x % 3 == 0", true},
                                               {"every", "1"},
                                               {"never", "0"}};

}  // namespace

std::string predicate_formula(std::string_view predicate) {
  const auto* known = std::ranges::find(named_predicates, predicate, &NamedPredicate::name);
  return known == std::end(named_predicates) ? std::string(predicate) : known->formula;
}

Predicate predicate_of(const Settings& s) {
  const std::string chosen = s.choice("predicate");
  return Predicate(predicate_formula(chosen.empty() ? named_predicates[0].name : chosen));
}

Choice predicate_choice() {
  Choice c{"predicate", {}, "predicate", "Keeps x if "};
  c.typed = Choice::Typed::predicate;
  c.typed_note = "or a formula in x: keeps x if it is true";
  c.example = "x > 3 && x < 8";  // all types take it
  for (const NamedPredicate& p : named_predicates) {
    Option o{p.name, {}, {}, p.formula, false};
    if (p.integers_only) o.types = {Scalar::int32, Scalar::uint32, Scalar::int64};
    c.options.push_back(std::move(o));
  }
  return c;
}

}  // namespace upsweep
