// Tests whether reductions and scans can use a user's operator. The operator must be associative and have the
// given identity.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <mutex>
#include <optional>
#include <tuple>

#include "base/error.hpp"
#include "base/half.hpp"
#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/own_operator.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// An operator, and a few numbers with which the laws are tested.
class Laws {
 public:
  Laws(const Settings& s, std::span<const Value> input) : s_(s), op_(s.expression) {
    const std::size_t count = input.empty() ? 8 : std::min<std::size_t>(input.size(), 10);
    for (std::size_t i = 0; i < count; ++i) {
      Value v{};
      if (input.empty()) set_scalar(v, s.type, 0, static_cast<long double>((3 * i + 2) % 10));
      else v = input[i * input.size() / count];
      add(v);
    }
    // The samples also include results of the operator, because a tree combines results. Results may be much
    // larger than the input.
    for (std::size_t i = 0; i < 3 && !samples_.empty(); ++i) {
      Value result = samples_[std::min(i, samples_.size() - 1)];
      for (int doubled = 0; doubled < 4; ++doubled) add(result = apply(result, result));
    }
  }

  // Returns a sentence about a law that the operator breaks. Returns an empty text if the operator breaks no
  // law.
  std::string broken() const {
    std::string sentence = not_associative();
    return sentence.empty() ? no_identity() : sentence;
  }
  // Returns a sentence about three samples for which the operator is not associative. Returns an empty text
  // if no such samples are found.
  std::string not_associative() const {
    for (const Value& a : samples_)
      for (const Value& b : samples_)
        for (const Value& c : samples_) {
          const Value ab = apply(a, b), bc = apply(b, c);
          if (!equal(result(ab, c, result(a, b)), result(a, bc, {}, result(b, c))))
            return tr(
                "{} is not associative for {}: ({} op {}) op {} = {}, {} op ({} op {}) = {}. Choose another "
                "operator or type.",
                op_.text(), name(s_.type), text(a), text(b), text(c), text(apply(ab, c)), text(a), text(b),
                text(c), text(apply(a, bc)));
        }
    return {};
  }
  // Returns a sentence about two samples for which a op b differs from b op a. Returns an empty text if no
  // such samples are found.
  std::string order_matters() const {
    for (const Value& a : samples_)
      for (const Value& b : samples_)
        if (!equal(result(a, b), result(b, a)))
          return fmt::format("{} op {} = {}, {} op {} = {}.", text(a), text(b), text(apply(a, b)), text(b),
                             text(a), text(apply(b, a)));
    return {};
  }

 private:
  using Wide = OwnOperator::Wide;

  // Returns a sentence about a sample that the identity changes. Returns an empty text if no such sample is
  // found.
  std::string no_identity() const {
    const Value identity = own_identity(s_.identity, s_.type);
    for (const Value& x : samples_)
      for (const auto& [left, right] : {std::pair(identity, x), std::pair(x, identity)})
        if (!equal(result(left, right), wide(x)))
          return tr("{} is not the identity of {}: {} op {} is {}, expected {}.", text(identity), op_.text(),
                    text(left), text(right), text(apply(left, right)), text(x));
    return {};
  }

  Value apply(const Value& a, const Value& b) const { return op_(s_.type, a, b); }
  std::string text(const Value& v) const { return exact_text(v, s_); }
  Wide wide(const Value& v) const {
    const long double x = scalar(v, s_.type);
    return {x, std::abs(x)};
  }
  // Returns a op b. Integers are computed in their type. Floats are computed in wide arithmetic, so that
  // rounding breaks no law. If an operand is already known in wide arithmetic, pass the operand as `left` or
  // `right`.
  Wide result(const Value& a, const Value& b, std::optional<Wide> left = {},
              std::optional<Wide> right = {}) const {
    if (!is_real(s_.type)) return wide(apply(a, b));
    return op_(left.value_or(wide(a)), right.value_or(wide(b)));
  }
  bool equal(const Wide& x, const Wide& y) const {
    if (!is_real(s_.type)) return x.value == y.value;
    if (!std::isfinite(x.value) || !std::isfinite(y.value))
      return true;  // if a number is too large, the law cannot be tested
    return std::abs(x.value - y.value) <= 1e-12L * std::max(x.size, y.size);
  }
  void add(const Value& v) {
    if (!std::isfinite(scalar(v, s_.type))) return;
    if (std::ranges::find(samples_, v) == samples_.end()) samples_.push_back(v);
  }

  const Settings& s_;
  const OwnOperator op_;
  std::vector<Value> samples_;
};

// Returns Laws::broken() for digits. Keeps the latest result, because callers often test the same operator
// again.
std::string broken_for_digits(const Settings& s) {
  using Key = std::tuple<std::string, std::string, Scalar>;
  static std::mutex mutex;
  static std::optional<std::pair<Key, std::string>> last;
  Key key{s.expression, s.identity, s.type};
  const std::scoped_lock lock(mutex);
  if (!last || last->first != key) last.emplace(key, Laws(s, {}).broken());
  return last->second;
}

}  // namespace

Value own_identity(const std::string& text, Scalar type) {
  long double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(x))
    throw RequestError(tr(
        "\"{}\" is not an identity. Give a number V for which V op x = x, for example 0 for a sum.", text));
  const long double largest = largest_number(type);
  const long double lowest = is_real(type) ? -largest : type == Scalar::uint32 ? 0 : -largest - 1;
  // A user may type the largest number in a short decimal form. The typed number may be slightly above the
  // range. In this case, the code uses the largest number.
  if (is_real(type) && std::abs(x) > largest && std::abs(x) < largest * (1 + 1e-6L))
    x = std::copysign(largest, x);
  const bool fits = x >= lowest && x <= largest && (is_real(type) || x == std::trunc(x));
  if (!fits) throw RequestError(tr("The identity {} is not a number of type {}.", text, name(type)));
  Value v{};
  set_scalar(v, type, 0, x);
  return v;
}

void expect_associative(std::string_view expression, Scalar type) {
  Settings s;
  s.op = Operator::own;
  s.expression = OwnOperator(expression).text();
  s.type = type;
  OwnOperator(expression).expect_type(type, [](Scalar) { return true; });
  if (const std::string broken = Laws(s, {}).not_associative(); !broken.empty()) throw RequestError(broken);
}

void expect_lawful(const Algorithm& a, const Settings& s, std::span<const Value> input) {
  if (s.op != Operator::own) return;
  const OwnOperator op(s.expression);
  op.expect_type(s.type, [&](Scalar other) { return a.allows(other); });
  own_identity(s.identity, s.type);
  const std::string broken = input.empty() ? broken_for_digits(s) : Laws(s, input).broken();
  if (!broken.empty()) throw RequestError(broken);
  if (!a.commutative) return;
  if (const std::string example = Laws(s, input).order_matters(); !example.empty())
    throw RequestError(
        tr("{} reorders its operands and needs a commutative operator; {} is not commutative: {}", a.name,
           op.text(), example));
}

}  // namespace upsweep
