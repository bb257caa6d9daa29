#include "catalogue/predicate.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <set>

#include "base/language.hpp"
#include "trace/value.hpp"

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

// Collects numbers of a type: some that the predicate keeps, and some that it drops.
class ExampleSearch {
 public:
  ExampleSearch(const Predicate& keep, Scalar type, std::size_t most)
      : keep_(keep), type_(type), most_(most), largest_(largest_number(type)) {}

  PredicateExamples found() {
    look_at_small_numbers();
    look_at_powers();
    look_at_the_formula();
    look_at_random_numbers();
    return std::move(found_);
  }

 private:
  void look_at(long double x) {
    const long double least = type_ == Scalar::uint32 ? 0 : is_real(type_) ? -largest_ : -largest_ - 1;
    x = is_real(type_) ? static_cast<double>(x) : std::round(x);
    if (!(x >= least && x <= largest_)) return;
    Value v{};
    set_scalar(v, type_, 0, x);
    std::vector<Value>& group = keep_(type_, v) ? found_.kept : found_.dropped;
    if (group.size() < most_ && seen_.insert(v).second) group.push_back(v);
  }

  void look_at_small_numbers() {
    for (int x = 1; x < 10; ++x) look_at(x);
    for (int x = 0; x > -10; --x) look_at(x);
    for (int x = 10; x < 100; ++x) look_at(x);
  }

  void look_at_powers() {
    for (long double power = 128; power <= 0x1p62L; power *= 2)
      for (const int sign : {1, -1})
        for (const int beside : {-1, 0, 1}) look_at(sign * power + beside);
  }

  // For uint32, a negative number means 2^32 minus the number's absolute value, because integers wrap.
  void look_at_the_formula() {
    std::set<long double> all;
    for (const long double x : keep_.numbers())
      for (const long double y : {x, -x}) all.insert(type_ == Scalar::uint32 && y < 0 ? y + 0x1p32L : y);
    for (const long double x : all)
      for (const int beside : {0, -1, 1}) look_at(x + beside);
    for (auto x = all.begin(); x != all.end(); ++x)
      if (const auto next = std::next(x); next != all.end()) look_at((*x + *next) / 2);
  }

  void look_at_random_numbers() {
    constexpr int most_tries = 1 << 14;
    const long double most_bits = std::min(64.0L, std::log2(largest_));
    std::mt19937_64 bits(1);
    const auto random = [&] { return static_cast<long double>(bits() >> 11) * 0x1p-53L; };
    for (int i = 0; i < most_tries && std::min(found_.kept.size(), found_.dropped.size()) < most_; ++i) {
      const long double x = 2 * random() - 1;
      look_at(i % 3 == 0 ? 8 * x : i % 3 == 1 ? std::round(1000 * x) : x * std::exp2(most_bits * random()));
    }
  }

  const Predicate& keep_;
  const Scalar type_;
  const std::size_t most_;
  const long double largest_;
  PredicateExamples found_;
  std::set<Value> seen_;
};

}  // namespace

std::string predicate_formula(std::string_view predicate) {
  const auto* known = std::ranges::find(named_predicates, predicate, &NamedPredicate::name);
  return known == std::end(named_predicates) ? std::string(predicate) : known->formula;
}

std::string chosen_predicate(const Settings& s) {
  const std::string chosen = s.choice("predicate");
  return chosen.empty() ? named_predicates[0].name : chosen;
}

Predicate predicate_of(const Settings& s) { return Predicate(predicate_formula(chosen_predicate(s))); }

PredicateExamples examples_of(const Predicate& keep, Scalar type, std::size_t most) {
  return ExampleSearch(keep, type, most).found();
}

Choice predicate_choice() {
  Choice c{"predicate", {}, "predicate", tr("Keeps x if ")};
  c.typed = Choice::Typed::predicate;
  c.typed_note = tr_noop("or a formula in x that is true for the kept numbers");
  c.example = "x > 3 && x < 8";  // all types allow this example
  for (const NamedPredicate& p : named_predicates) {
    Option o{p.name, {}, {}, p.formula, false};
    if (p.integers_only) o.types = {Scalar::int32, Scalar::uint32, Scalar::int64};
    c.options.push_back(std::move(o));
  }
  return c;
}

}  // namespace upsweep
