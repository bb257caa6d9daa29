#include "catalogue/typed_formula.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/half.hpp"
#include "base/language.hpp"
#include "catalogue/formula_tree.hpp"
#include "trace/value.hpp"

namespace upsweep {

namespace {

constexpr std::size_t most_operands = 64;  // the largest number of operands on the stack

template <class N>
constexpr bool is_integer = std::integral<N>;

template <class N>
N truth(bool x) {
  return x ? static_cast<N>(1) : static_cast<N>(0);
}

// Calls f on unsigned integers, so that the result wraps.
template <std::integral N, class F>
N wrapped(N x, N y, F f) {
  using U = std::make_unsigned_t<N>;
  return static_cast<N>(f(static_cast<U>(x), static_cast<U>(y)));
}

template <std::integral N>
N integer_result(FormulaOp op, N x, N y) {
  constexpr int bits = std::numeric_limits<std::make_unsigned_t<N>>::digits;
  const bool beyond = y < 0 || std::cmp_greater_equal(y, bits);
  switch (op) {
    case FormulaOp::add: return wrapped(x, y, [](auto u, auto v) { return u + v; });
    case FormulaOp::subtract: return wrapped(x, y, [](auto u, auto v) { return u - v; });
    case FormulaOp::multiply: return wrapped(x, y, [](auto u, auto v) { return u * v; });
    case FormulaOp::divide:
      if (y == 0) return 0;
      return std::signed_integral<N> && y == static_cast<N>(-1) ? integer_result<N>(FormulaOp::subtract, 0, x)
                                                                : static_cast<N>(x / y);
    case FormulaOp::remainder:
      return y == 0 || (std::signed_integral<N> && y == static_cast<N>(-1)) ? N{0} : static_cast<N>(x % y);
    case FormulaOp::bit_or: return x | y;
    case FormulaOp::bit_xor: return x ^ y;
    case FormulaOp::bit_and: return x & y;
    case FormulaOp::shift_left: return beyond ? N{0} : wrapped(x, y, [](auto u, auto v) { return u << v; });
    default: return beyond ? (x < 0 ? static_cast<N>(-1) : N{0}) : static_cast<N>(x >> y);
  }
}

template <class N>
N real_result(FormulaOp op, N x, N y) {
  // A Half is computed as a float and then rounded. The rounded result is always correct (see Half).
  using F = std::conditional_t<std::is_same_v<N, Half>, float, N>;
  const F u = x, v = y;
  switch (op) {
    case FormulaOp::add: return static_cast<N>(u + v);
    case FormulaOp::subtract: return static_cast<N>(u - v);
    case FormulaOp::multiply: return static_cast<N>(u * v);
    default: return static_cast<N>(u / v);
  }
}

template <class N>
N binary_result(FormulaOp op, N x, N y) {
  const N none = truth<N>(false);
  switch (op) {
    case FormulaOp::both: return truth<N>(x != none && y != none);
    case FormulaOp::either: return truth<N>(x != none || y != none);
    case FormulaOp::equal: return truth<N>(x == y);
    case FormulaOp::unequal: return truth<N>(x != y);
    case FormulaOp::less: return truth<N>(x < y);
    case FormulaOp::less_equal: return truth<N>(x <= y);
    case FormulaOp::greater: return truth<N>(y < x);
    case FormulaOp::greater_equal: return truth<N>(y <= x);
    case FormulaOp::min: return y < x ? y : x;
    case FormulaOp::max: return x < y ? y : x;
    default: break;
  }
  if constexpr (is_integer<N>) return integer_result(op, x, y);
  else return real_result(op, x, y);
}

template <class N>
N unary_result(FormulaOp op, N x) {
  if (op == FormulaOp::negation) return truth<N>(x == truth<N>(false));
  if constexpr (is_integer<N>)
    return op == FormulaOp::complement ? static_cast<N>(~x) : integer_result<N>(FormulaOp::subtract, 0, x);
  else return static_cast<N>(-x);
}

using WideNumber = TypedFormula::Wide;

bool compares(FormulaOp op) {
  return op == FormulaOp::both || op == FormulaOp::either ||
         (op >= FormulaOp::equal && op <= FormulaOp::greater_equal);
}

// Returns whether a formula for this type may contain the number x. For a float type, x may need rounding.
// For uint32, x may be negative, because negative numbers wrap as in C++.
bool holds(Scalar type, long double x) {
  switch (type) {
    case Scalar::int32: return x == std::trunc(x) && x >= -0x1p31L && x < 0x1p31L;
    case Scalar::uint32: return x == std::trunc(x) && std::abs(x) < 0x1p32L;
    case Scalar::int64: return x == std::trunc(x) && x >= -0x1p63L && x < 0x1p63L;
    case Scalar::float16: return std::isfinite(static_cast<float>(Half(static_cast<double>(x))));
    case Scalar::float32: return std::isfinite(static_cast<float>(x));
    case Scalar::float64: break;
  }
  return true;
}

WideNumber wide_result(FormulaOp op, const WideNumber& x, const WideNumber& y) {
  const long double value = binary_result<long double>(op, x.value, y.value);
  switch (op) {
    case FormulaOp::add:
    case FormulaOp::subtract: return {value, x.size + y.size};
    case FormulaOp::multiply: return {value, x.size * y.size};
    case FormulaOp::divide: return {value, x.size / std::abs(y.value)};
    default: return {value, compares(op) ? 1 : std::max(x.size, y.size)};
  }
}

bool is_unary(FormulaOp op) {
  return op == FormulaOp::negate || op == FormulaOp::complement || op == FormulaOp::negation;
}
bool is_leaf(FormulaOp op) {
  return op == FormulaOp::number || op == FormulaOp::real || op == FormulaOp::variable;
}

std::string real_text(double x) {
  char digits[64];
  std::string printed(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
  return printed.find_first_of(".e") == printed.npos ? printed + ".0" : printed;
}

// Prints a tree as text. Reading the text produces a tree that computes the same values. The two trees may
// differ: -(5) becomes the number -5.
class TreePrinter {
 public:
  explicit TreePrinter(const std::vector<std::string>& variables) : variables_(variables) {}
  std::string text(const FormulaNode& n, int level = -1) const {
    switch (n.op) {
      case FormulaOp::number: return std::to_string(n.number);
      case FormulaOp::real: return real_text(n.real);
      case FormulaOp::variable: return variables_[static_cast<std::size_t>(n.number)];
      case FormulaOp::negate: return "-" + text(*n.operands[0], tightest);
      case FormulaOp::complement: return "~" + text(*n.operands[0], tightest);
      case FormulaOp::negation: return "!" + text(*n.operands[0], tightest);
      case FormulaOp::min:
      case FormulaOp::max:
        return fmt::format("{}({}, {})", n.op == FormulaOp::min ? "min" : "max", text(*n.operands[0]),
                           text(*n.operands[1]));
      case FormulaOp::choose:
        return enclosed(
            fmt::format("{} ? {} : {}", text(*n.operands[0], 0), text(*n.operands[1]), text(*n.operands[2])),
            level >= 0);
      default: break;
    }
    const FormulaSymbol& symbol = *binary_symbol(n.op);
    return enclosed(fmt::format("{} {} {}", text(*n.operands[0], symbol.level), symbol.text,
                                text(*n.operands[1], symbol.level + 1)),
                    symbol.level < level);
  }

 private:
  static constexpr int tightest = 100;
  static std::string enclosed(const std::string& inner, bool is) { return is ? "(" + inner + ")" : inner; }
  const std::vector<std::string>& variables_;
};

std::string cuda_text(const FormulaNode& n, const std::vector<std::string>& variables, Scalar type) {
  switch (n.op) {
    case FormulaOp::number: return cuda_number(static_cast<double>(n.number), n.number, type);
    case FormulaOp::real:
      return cuda_number(n.real, is_real(type) ? 0 : static_cast<std::int64_t>(n.real), type);
    case FormulaOp::variable: return variables[static_cast<std::size_t>(n.number)];
    default: break;
  }
  static constexpr const char* functions[] = {
      "",        "",       "",      "negate",  "complement", "negation",   "bit_or", "bit_xor",
      "bit_and", "shl",    "shr",   "plus",    "minus",      "times",      "over",   "rest",
      "both",    "either", "equal", "unequal", "less",       "less_equal", "more",   "more_equal",
      "choose",  "",       "",      "smaller", "larger"};
  std::string call = fmt::format("own::{}(", functions[static_cast<int>(n.op)]);
  for (std::size_t i = 0; i < n.operands.size(); ++i)
    call += (i > 0 ? ", " : "") + cuda_text(*n.operands[i], variables, type);
  return call + ")";
}

}  // namespace

TypedFormula::TypedFormula(std::string_view text, std::vector<std::string> variables)
    : variables_(std::move(variables)), root_(parse_formula(text, variables_, true)) {
  // Appends the instructions of a node to the program. Returns the largest number of operands on the stack
  // while the node is computed, and the depth of the node.
  const auto add = [&](const auto& self, const FormulaNode& n) -> std::pair<std::size_t, int> {
    std::size_t room = 1;
    int depth = 0;
    for (std::size_t i = 0; i < n.operands.size(); ++i) {
      const auto [needed, deep] = self(self, *n.operands[i]);
      room = std::max(room, i + needed);
      depth = std::max(depth, deep);
    }
    switch (n.op) {
      case FormulaOp::log2:
      case FormulaOp::tree_width:
      case FormulaOp::ceil_div:
        throw RequestError(
            tr("A formula for elements may use the functions min and max, but not log2, tree_width or "
               "ceil_div."));
      case FormulaOp::complement: integers_only_ = "~"; break;
      case FormulaOp::remainder:
      case FormulaOp::bit_or:
      case FormulaOp::bit_xor:
      case FormulaOp::bit_and:
      case FormulaOp::shift_left:
      case FormulaOp::shift_right: integers_only_ = binary_symbol(n.op)->text; break;
      default: break;
    }
    program_.push_back({n.op, n.number, n.real});
    return {room, depth + !is_leaf(n.op)};
  };
  const auto [room, depth] = add(add, *root_);
  depth_ = depth;
  text_ = TreePrinter(variables_).text(*root_);
  if (room > most_operands)
    throw RequestError(tr("This formula is too deeply nested: give a simpler formula."));
}

template <class N>
N TypedFormula::compute(const N* values) const {
  N stack[most_operands + 1];
  N* top = stack;  // points after the last operand
  for (const Instruction& i : program_) {
    switch (i.op) {
      case FormulaOp::number:
        if constexpr (is_integer<N>) *top++ = static_cast<N>(i.number);
        else *top++ = static_cast<N>(static_cast<double>(i.number));
        break;
      case FormulaOp::real: *top++ = static_cast<N>(i.real); break;
      case FormulaOp::variable: *top++ = values[i.number]; break;
      case FormulaOp::choose:
        top -= 2;
        top[-1] = top[-1] != truth<N>(false) ? top[0] : top[1];
        break;
      default:
        if (is_unary(i.op)) {
          top[-1] = unary_result(i.op, top[-1]);
        } else {
          --top;
          top[-1] = binary_result(i.op, top[-1], top[0]);
        }
    }
  }
  return top[-1];
}

namespace {

constexpr std::size_t most_variables = 2;

// Calls f with the values as numbers of their type.
template <class F>
auto with_numbers(Scalar type, std::initializer_list<const Value*> values, F f) {
  const auto with = [&]<class N>(N) {
    N numbers[most_variables]{};
    N* to = numbers;
    for (const Value* v : values) std::memcpy(static_cast<void*>(to++), v->data(), sizeof(N));
    return f(static_cast<const N*>(numbers));
  };
  switch (type) {
    case Scalar::int32: return with(std::int32_t{});
    case Scalar::uint32: return with(std::uint32_t{});
    case Scalar::int64: return with(std::int64_t{});
    case Scalar::float16: return with(Half{});
    case Scalar::float32: return with(float{});
    case Scalar::float64: break;
  }
  return with(double{});
}

// Parameters are passed by value, because GCC's sanitizer wrongly reports references into the stack as out of
// bounds.
WideNumber chosen_of(WideNumber condition, WideNumber yes, WideNumber no) {
  return {condition.value != 0 ? yes.value : no.value, yes.size > no.size ? yes.size : no.size};
}

}  // namespace

Value TypedFormula::value(Scalar type, std::initializer_list<const Value*> values) const {
  return with_numbers(type, values, [&]<class N>(const N* numbers) {
    const N result = compute(numbers);
    Value v{};
    std::memcpy(v.data(), &result, sizeof result);
    return v;
  });
}

bool TypedFormula::is_true(Scalar type, std::initializer_list<const Value*> values) const {
  return with_numbers(type, values,
                      [&]<class N>(const N* numbers) { return compute(numbers) != truth<N>(false); });
}

TypedFormula::Wide TypedFormula::wide(std::initializer_list<Wide> values) const {
  Wide stack[most_operands + 1];
  Wide* top = stack;
  for (const Instruction& i : program_) {
    switch (i.op) {
      case FormulaOp::number:
      case FormulaOp::real: {
        const long double x = i.op == FormulaOp::number ? static_cast<long double>(i.number) : i.real;
        *top++ = {x, std::abs(x)};
        break;
      }
      case FormulaOp::variable: *top++ = values.begin()[i.number]; break;
      case FormulaOp::choose:
        top[-3] = chosen_of(top[-3], top[-2], top[-1]);
        top -= 2;
        break;
      default:
        if (is_unary(i.op)) {
          top[-1] = {unary_result(i.op, top[-1].value), top[-1].size};
        } else {
          --top;
          top[-1] = wide_result(i.op, top[-1], top[0]);
        }
    }
  }
  return top[-1];
}

std::vector<long double> TypedFormula::numbers() const {
  std::vector<long double> all;
  for (const Instruction& i : program_)
    if (i.op == FormulaOp::number) all.push_back(static_cast<long double>(i.number));
    else if (i.op == FormulaOp::real) all.push_back(i.real);
  return all;
}

std::string TypedFormula::missing_in(Scalar type) const {
  if (is_real(type) && !integers_only_.empty()) return integers_only_;
  for (const Instruction& i : program_) {
    if (i.op == FormulaOp::number && !holds(type, static_cast<long double>(i.number)))
      return tr("the number ") + grouped(i.number);
    if (i.op == FormulaOp::real && !holds(type, i.real)) return tr("the number ") + real_text(i.real);
  }
  return {};
}

void TypedFormula::expect_type(Scalar type, const std::function<bool(Scalar)>& is_allowed) const {
  const std::string missing = missing_in(type);
  if (missing.empty()) return;
  std::vector<std::string_view> others;
  for (std::size_t t = 0; t < std::size(scalar_names); ++t)
    if (const auto other = static_cast<Scalar>(t); is_allowed(other) && missing_in(other).empty())
      others.push_back(scalar_names[t]);
  throw RequestError(tr(
      "{} uses {}, which the type {} does not have: {}.", text_, missing, name(type),
      others.empty() ? std::string(tr("write another formula"))
                     : tr("choose {}{}", others.size() > 1 ? tr("one of ") : "", fmt::join(others, ", "))));
}

std::string TypedFormula::cuda_source(Scalar type) const { return cuda_text(*root_, variables_, type); }

std::string cuda_number(double x, std::int64_t whole, Scalar type) {
  // C++ has no literal for the lowest integer.
  switch (type) {
    case Scalar::int32: return whole == INT32_MIN ? "(-2147483647 - 1)" : fmt::format("{}", whole);
    case Scalar::uint32: return fmt::format("{}u", static_cast<std::uint32_t>(whole));
    case Scalar::int64:
      return whole == INT64_MIN ? "(-9223372036854775807ll - 1)" : fmt::format("{}ll", whole);
    case Scalar::float16: return fmt::format("Half{{{:#06x}}}", Half(x).bits());
    case Scalar::float32: return fmt::format("{:a}f", static_cast<float>(x));
    case Scalar::float64: return fmt::format("{:a}", x);
  }
  return {};
}

}  // namespace upsweep
