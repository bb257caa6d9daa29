#include "catalogue/validation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "base/messages.hpp"
#include "base/nearest.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/own_operator.hpp"
#include "catalogue/predicate.hpp"
#include "catalogue/text.hpp"

namespace upsweep {
namespace {

template <class E>
std::vector<std::string_view> names_of(const std::vector<E>& all) {
  std::vector<std::string_view> names;
  for (const E each : all) names.push_back(name(each));
  return names;
}
std::vector<std::string_view> names_of(const std::vector<Option>& all) {
  std::vector<std::string_view> names;
  for (const Option& each : all) names.push_back(each.name);
  return names;
}
std::vector<std::string_view> names_of(const std::vector<Choice>& all) {
  std::vector<std::string_view> names;
  for (const Choice& each : all) names.push_back(each.name);
  return names;
}

int number_in(const std::string& text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Checks text that the user typed instead of an option of the choice. If the text is a name, the user may
// have mistyped an option, so the error lists the options. For any other text, the error describes the
// mistake in the formula.
void expect_typed(const Algorithm& a, const Choice& c, const std::string& typed, Scalar type) {
  const std::string options = fmt::format("{}", fmt::join(names_of(c.options), ", "));
  switch (c.typed) {
    case Choice::Typed::nothing: refuse_option(a, c, typed);
    case Choice::Typed::layout:
      try {
        Formula(typed, 'i');
        return;
      } catch (const RequestError&) {
        if (!is_name(typed)) throw;
        throw RequestError(say::bad_layout(typed, options));
      }
    case Choice::Typed::predicate: {
      std::optional<Predicate> predicate;
      try {
        predicate.emplace(typed);
      } catch (const RequestError&) {
        if (!is_name(typed)) throw;
        throw RequestError(say::bad_predicate(typed, options));
      }
      return predicate->expect_type(type, [&](Scalar other) { return a.allows(other); });
    }
    case Choice::Typed::number: {
      int number = 0;
      const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
      if (error == std::errc() && end == typed.data() + typed.size() && number >= 0) return;
      throw RequestError(
          tr("The choice {} of {} takes a whole number from 0 to 2^31 - 1, not \"{}\". Kernels hold this "
             "number in an int.",
             c.name, a.name, typed));
    }
  }
}

}  // namespace

void validate_operator(const Algorithm& a, const Settings& s) {
  if (a.has_messages() && element_bytes(s) > most_message_element)
    throw RequestError(
        tr("{} puts an element and a mark into one message of at most 16 bytes. But with the operator {} and "
           "the type {}, an element has {} bytes: give a narrower type.",
           a.name, operator_text(s), name(s.type), element_bytes(s)));
  if (s.op == Operator::own && a.allows(s.op)) expect_lawful(a, s);
  if (s.op == Operator::affine && a.commutative)
    throw RequestError(
        tr("{} reorders its operands and needs a commutative operator; composing affine maps is not "
           "commutative. Give sum, product, min or max.",
           a.name));
  if (s.op == Operator::affine && a.scalar)
    throw RequestError(
        tr("{} needs elements that consist of one number, but an affine map consists of two numbers. Give "
           "sum, product, min or max.",
           a.name));
  if (!a.allows(s.op))
    throw RequestError(tr("{} does not work with the operator {}; choose one of these: {}.", a.name,
                          operator_text(s), fmt::join(names_of(a.operators), ", ")));
}

void validate_type(const Algorithm& a, const Settings& s) {
  if (!a.allows(s.type))
    throw RequestError(tr("{} does not work with the type {}; choose one of these: {}.", a.name, name(s.type),
                          fmt::join(names_of(a.types), ", ")));
}

bool may_be_typed(const Algorithm& a, const Choice& c, const std::string& typed, Scalar type) {
  try {
    expect_typed(a, c, typed, type);
    return true;
  } catch (const RequestError&) { return false; }
}

void refuse_option(const Algorithm& a, const Choice& c, const std::string& wanted) {
  throw RequestError(tr("The choice {} of {} has no option \"{}\"{}; the options are {}.", c.name, a.name,
                        wanted, guess(wanted, names_of(c.options)), fmt::join(names_of(c.options), ", ")));
}

std::string remedy(const Algorithm& a, const Settings& s, const std::function<void(const Settings&)>& check) {
  const auto is_possible = [&](const Settings& other) {
    try {
      check(other);
      return true;
    } catch (const RequestError&) { return false; }
  };
  std::vector<std::string> remedies;
  Settings other = s;
  for (other.block = s.block - 1; other.block > 0 && !is_possible(other);) --other.block;
  if (other.block > 0) remedies.push_back(tr("at most {} threads", grouped(other.block)));
  for (const Choice& c : a.choices) {
    if (!c.is_number()) continue;
    const int now = number_in(std::string(chosen(a, s, c.name)));
    int best = 0;
    for (const Option& o : c.options) {
      other = s;
      other.choose(c.name, o.name);
      if (const int number = number_in(o.name); number < now && number > best && is_possible(other))
        best = number;
    }
    if (best > 0) remedies.push_back(fmt::format("{}={}", c.name, best));
  }
  std::vector<std::string_view> types;
  for (std::size_t t = 0; t < std::size(scalar_names); ++t) {
    other = s;
    other.type = static_cast<Scalar>(t);
    if (remedies.empty() && element_bytes(other) < element_bytes(s) && is_possible(other))
      types.push_back(scalar_names[t]);
  }
  if (!types.empty()) remedies.push_back(tr("one of the types {}", fmt::join(types, ", ")));
  other = s;
  for (other.n = s.n / 2; remedies.empty() && other.n > 0 && !is_possible(other);) other.n /= 2;
  if (remedies.empty() && other.n > 0) remedies.push_back(tr("at most {} elements", grouped(other.n)));
  return remedies.empty() ? "." : tr(": give {}.", fmt::join(remedies, tr(" or ")));
}

// Throws RequestError. The error names the types and operators for which the choice has this option.
[[noreturn]] void refuse_kind(const Algorithm& a, const Choice& c, const Option& option, const Settings& s) {
  std::vector<std::string> allowed, given;
  if (!option.types.empty()) {
    allowed.push_back(tr("the types {}", fmt::join(names_of(option.types), ", ")));
    given.emplace_back(name(s.type));
  }
  if (!option.operators.empty()) {
    allowed.push_back(tr("the operators {}", fmt::join(names_of(option.operators), ", ")));
    given.push_back(operator_text(s));
  }
  throw RequestError(tr("The choice {} of {} has the option {} only for {}, not for {}.", c.name, a.name,
                        option.name, fmt::join(allowed, tr(" and ")), fmt::join(given, tr(" and "))));
}

void validate_choices(const Algorithm& a, const Settings& s) {
  for (const auto& [name, wanted] : s.choices) {
    const Choice* c = a.choice(name);
    if (!c)
      throw RequestError(a.choices.empty()
                             ? tr("{} has no choices: leave \"{}\" out.", a.name, name)
                             : tr("{} has no choice \"{}\"{}; the choices are {}.", a.name, name,
                                  guess(name, names_of(a.choices)), fmt::join(names_of(a.choices), ", ")));
    const Option* option = c->option(wanted);
    if (!option) {
      expect_typed(a, *c, wanted, s.type);
    } else if (name == method_choice && wanted != a.rung) {
      throw RequestError(tr("{} always uses the method {}: for another method, give {} with {}={}.", a.name,
                            a.rung, a.ladder, name, wanted));
    } else if (!option->allows(s)) {
      refuse_kind(a, *c, *option, s);
    }
  }
}

}  // namespace upsweep
