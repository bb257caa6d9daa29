#include "catalogue/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "catalogue/formula_tree.hpp"

namespace upsweep {
namespace {

std::int64_t shift_right(std::int64_t a, std::int64_t count) {
  return count < 0 || count > 31 ? (a < 0 ? -1 : 0) : a >> count;
}
std::int64_t shift_left(std::int64_t a, std::int64_t count) {
  return count < 0 || count > 31 ? 0 : a * (std::int64_t{1} << count);
}

// Computes a formula's value from the values of its variables.
struct Evaluation {
  std::span<const std::int64_t> values;
  std::int64_t largest;

  std::int64_t operator()(const FormulaNode& n) const {
    switch (n.op) {
      case FormulaOp::number: return n.number;
      case FormulaOp::variable: return values[static_cast<std::size_t>(n.number)];
      case FormulaOp::both: return (*this)(*n.operands[0]) && (*this)(*n.operands[1]);
      case FormulaOp::either: return (*this)(*n.operands[0]) || (*this)(*n.operands[1]);
      case FormulaOp::choose:
        return (*this)(*n.operands[0]) ? (*this)(*n.operands[1]) : (*this)(*n.operands[2]);
      default: break;
    }
    const std::int64_t l = (*this)(*n.operands[0]);
    const std::int64_t v = n.operands.size() == 1 ? unary(n.op, l) : binary(n.op, l, (*this)(*n.operands[1]));
    if (v > largest || v < -largest) overflow();
    return v;
  }

 private:
  std::int64_t unary(FormulaOp op, std::int64_t x) const {
    switch (op) {
      case FormulaOp::negate: return -x;
      case FormulaOp::complement: return ~x;
      case FormulaOp::negation: return x == 0;
      case FormulaOp::tree_width: return tree_width(x);
      default:
        if (x < 1)
          throw RequestError(tr("The formula takes log2 of {}; log2 needs a positive number.", grouped(x)));
        return std::bit_width(static_cast<std::uint64_t>(x)) - 1;
    }
  }

  std::int64_t binary(FormulaOp op, std::int64_t l, std::int64_t r) const {
    if ((op == FormulaOp::divide || op == FormulaOp::remainder || op == FormulaOp::ceil_div) && r == 0)
      throw RequestError(tr("The formula divides by zero at {}.", grouped(values.empty() ? 0 : values[0])));
    std::int64_t v = 0;
    switch (op) {
      case FormulaOp::bit_or: return l | r;
      case FormulaOp::bit_xor: return l ^ r;
      case FormulaOp::bit_and: return l & r;
      case FormulaOp::equal: return l == r;
      case FormulaOp::unequal: return l != r;
      case FormulaOp::less: return l < r;
      case FormulaOp::less_equal: return l <= r;
      case FormulaOp::greater: return l > r;
      case FormulaOp::greater_equal: return l >= r;
      case FormulaOp::shift_right: return shift_right(l, r);
      case FormulaOp::divide: return l / r;
      case FormulaOp::remainder: return l % r;
      case FormulaOp::ceil_div: return l / r + (l % r != 0 && (l < 0) == (r < 0));
      case FormulaOp::min: return std::min(l, r);
      case FormulaOp::max: return std::max(l, r);
      case FormulaOp::shift_left:
        if (std::abs(l) > INT32_MAX) overflow();
        return shift_left(l, r);
      case FormulaOp::add:
        if (__builtin_add_overflow(l, r, &v)) overflow();
        return v;
      case FormulaOp::subtract:
        if (__builtin_sub_overflow(l, r, &v)) overflow();
        return v;
      default:
        if (__builtin_mul_overflow(l, r, &v)) overflow();
        return v;
    }
  }

  [[noreturn]] void overflow() const {
    throw RequestError(tr("The value of the formula exceeds {} at {}.", grouped(largest),
                          grouped(values.empty() ? 0 : values[0])));
  }
};

std::string source(const FormulaNode& n, const std::vector<std::string>& variables) {
  if (n.op == FormulaOp::number) return fmt::format("{}", n.number);
  if (n.op == FormulaOp::variable) return variables[static_cast<std::size_t>(n.number)];
  std::vector<std::string> x;
  for (const auto& operand : n.operands) x.push_back(source(*operand, variables));
  switch (n.op) {
    case FormulaOp::negate: return fmt::format("(-{})", x[0]);
    case FormulaOp::complement: return fmt::format("(~{})", x[0]);
    case FormulaOp::negation: return fmt::format("(!{})", x[0]);
    case FormulaOp::choose: return fmt::format("({} ? {} : {})", x[0], x[1], x[2]);
    case FormulaOp::log2: return fmt::format("(31 - __clz({}))", x[0]);
    case FormulaOp::tree_width: return fmt::format("({0} <= 2 ? 2 : 1 << (32 - __clz({0} - 1)))", x[0]);
    case FormulaOp::min: return fmt::format("({0} < {1} ? {0} : {1})", x[0], x[1]);
    case FormulaOp::max: return fmt::format("({0} < {1} ? {1} : {0})", x[0], x[1]);
    case FormulaOp::ceil_div:
      return fmt::format("({0} / {1} + ({0} % {1} != 0 && ({0} < 0) == ({1} < 0)))", x[0], x[1]);
    case FormulaOp::shift_left: return fmt::format("shift_left({}, {})", x[0], x[1]);
    case FormulaOp::shift_right: return fmt::format("shift_right({}, {})", x[0], x[1]);
    default: break;
  }
  return fmt::format("({} {} {})", x[0], binary_symbol(n.op)->text, x[1]);
}

bool has(const FormulaNode& n, std::int64_t variable) {
  return (n.op == FormulaOp::variable && n.number == variable) ||
         std::any_of(n.operands.begin(), n.operands.end(), [&](const auto& o) { return has(*o, variable); });
}

}  // namespace

Formula::Formula(std::string_view text, std::vector<std::string> variables)
    : text_(text), variables_(std::move(variables)), root_(parse_formula(text_, variables_)) {}

std::int64_t Formula::operator()(std::span<const std::int64_t> values, std::int64_t largest) const {
  return Evaluation{values, largest}(*root_);
}

bool Formula::mentions(std::string_view variable) const {
  const auto found = std::find(variables_.begin(), variables_.end(), variable);
  return found != variables_.end() && has(*root_, found - variables_.begin());
}

std::string Formula::c_source() const { return source(*root_, variables_); }

std::int64_t tree_width(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(2, n))));
}

}  // namespace upsweep
