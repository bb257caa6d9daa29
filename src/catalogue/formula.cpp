#include "catalogue/formula.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cctype>

#include "base/error.hpp"

namespace upsweep {
namespace {

enum class Op {
  number,
  variable,  // the leaves
  negate,
  complement,
  negation,
  bit_or,
  bit_xor,
  bit_and,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  both,
  either,
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  choose,
  log2,
  tree_width,
  min,
  max,
  ceil_div
};

struct Symbol {
  std::string_view text;
  Op op;
  int level;  // binary operators: from the loosest to the tightest; functions: how many arguments they take
};

constexpr Symbol binary_symbols[] = {
    {"||", Op::either, 0},        {"&&", Op::both, 1},    {"|", Op::bit_or, 2},   {"^", Op::bit_xor, 3},
    {"&", Op::bit_and, 4},        {"==", Op::equal, 5},   {"!=", Op::unequal, 5}, {"<=", Op::less_equal, 6},
    {">=", Op::greater_equal, 6}, {"<", Op::less, 6},     {">", Op::greater, 6},  {"<<", Op::shift_left, 7},
    {">>", Op::shift_right, 7},   {"+", Op::add, 8},      {"-", Op::subtract, 8}, {"*", Op::multiply, 9},
    {"/", Op::divide, 9},         {"%", Op::remainder, 9}};
constexpr int tightest = 9;
constexpr std::size_t longest_text = 1000;  // characters

constexpr Symbol functions[] = {{"log2", Op::log2, 1},
                                {"tree_width", Op::tree_width, 1},
                                {"min", Op::min, 2},
                                {"max", Op::max, 2},
                                {"ceil_div", Op::ceil_div, 2}};

}  // namespace

// A leaf, or an operator over one, two or three nodes.
struct Formula::Node {
  Op op;
  std::int64_t number = 0;  // a number, or the index of a variable
  std::vector<std::shared_ptr<const Node>> operands{};
};

namespace {

using Node = Formula::Node;
using NodePtr = std::shared_ptr<const Node>;

NodePtr node(Op op, std::vector<NodePtr> operands) {
  return std::make_shared<Node>(Node{op, 0, std::move(operands)});
}
NodePtr leaf(Op op, std::int64_t number) { return std::make_shared<Node>(Node{op, number}); }

bool is_name_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& variables)
      : text_(text), variables_(variables) {}

  NodePtr whole() {
    if (text_.size() > longest_text)
      throw RequestError(fmt::format("A formula of {} characters is too long: give at most {}.", text_.size(),
                                     longest_text));
    NodePtr root = choice();
    if (!peek().empty()) fail("an operator or the end");
    return root;
  }

 private:
  NodePtr choice() {
    NodePtr condition = binary(0);
    if (!peek().starts_with('?')) return condition;
    ++at_;
    NodePtr yes = choice();
    expect(":");
    return node(Op::choose, {condition, yes, choice()});
  }

  NodePtr binary(int level) {
    if (level > tightest) return unary();
    NodePtr left = binary(level + 1);
    for (;;) {
      const Symbol* symbol = binary_symbol();
      if (!symbol || symbol->level != level) return left;
      at_ += symbol->text.size();
      left = node(symbol->op, {left, binary(level + 1)});
    }
  }

  // Returns the longest operator at this position, or nullptr.
  const Symbol* binary_symbol() {
    const std::string_view rest = peek();
    const Symbol* longest = nullptr;
    for (const Symbol& s : binary_symbols)
      if (rest.starts_with(s.text) && (!longest || s.text.size() > longest->text.size())) longest = &s;
    return longest;
  }

  NodePtr unary() {
    if (++depth_ > 100) fail("fewer nested parentheses or signs (at most 100)");
    const std::string_view rest = peek();
    NodePtr result;
    if (!rest.empty() && std::string_view("-~!").find(rest[0]) != std::string_view::npos) {
      ++at_;
      result = node(rest[0] == '-' ? Op::negate : rest[0] == '~' ? Op::complement : Op::negation, {unary()});
    } else {
      result = primary();
    }
    --depth_;
    return result;
  }

  NodePtr primary() {
    const std::string_view rest = peek();
    if (rest.starts_with('(')) {
      ++at_;
      NodePtr inner = choice();
      expect(")");
      return inner;
    }
    if (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0]))) return number();
    std::size_t length = 0;
    while (length < rest.size() && is_name_letter(rest[length])) ++length;
    const std::string_view name = rest.substr(0, length);
    const auto* function = std::find_if(std::begin(functions), std::end(functions),
                                        [&](const Symbol& f) { return f.text == name; });
    if (function != std::end(functions)) return call(*function);
    const auto variable = std::find(variables_.begin(), variables_.end(), name);
    if (variable == variables_.end()) fail(fmt::format("a number, {} or (", fmt::join(variables_, ", ")));
    at_ += length;
    return leaf(Op::variable, variable - variables_.begin());
  }

  NodePtr call(const Symbol& function) {
    at_ += function.text.size();
    if (!peek().starts_with('(')) fail(fmt::format("( after {}", function.text));
    ++at_;
    std::vector<NodePtr> arguments{choice()};
    while (static_cast<int>(arguments.size()) < function.level) {
      expect(",");
      arguments.push_back(choice());
    }
    expect(")");
    return node(function.op, std::move(arguments));
  }

  NodePtr number() {
    const bool hex = text_.substr(at_).starts_with("0x");
    if (hex) at_ += 2;
    const std::size_t begin = at_;
    std::int64_t value = 0;
    for (; at_ < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_])));
      if (c > '9' && !hex) break;
      value = value * (hex ? 16 : 10) + (c > '9' ? c - 'a' + 10 : c - '0');
      if (value > INT32_MAX) fail("a number of at most 2147483647");
    }
    if (at_ == begin) fail("digits");
    if (at_ < text_.size() && (is_name_letter(text_[at_]) || text_[at_] == '.'))
      fail("a whole number and then an operator");
    return leaf(Op::number, value);
  }

  std::string_view peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return text_.substr(at_);
  }

  void expect(std::string_view symbol) {
    if (!peek().starts_with(symbol)) fail(std::string(symbol));
    at_ += symbol.size();
  }

  [[noreturn]] void fail(const std::string& expected) {
    const std::string_view rest = peek();
    throw RequestError(fmt::format(
        "The formula \"{}\" stops making sense at {}: expected {}.", text_,
        rest.empty() ? std::string("its end") : fmt::format("character {} ('{}')", at_ + 1, rest[0]),
        expected));
  }

  std::string_view text_;
  const std::vector<std::string>& variables_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

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

  std::int64_t operator()(const Node& n) const {
    switch (n.op) {
      case Op::number: return n.number;
      case Op::variable: return values[static_cast<std::size_t>(n.number)];
      case Op::both: return (*this)(*n.operands[0]) && (*this)(*n.operands[1]);
      case Op::either: return (*this)(*n.operands[0]) || (*this)(*n.operands[1]);
      case Op::choose: return (*this)(*n.operands[0]) ? (*this)(*n.operands[1]) : (*this)(*n.operands[2]);
      default: break;
    }
    const std::int64_t l = (*this)(*n.operands[0]);
    const std::int64_t v = n.operands.size() == 1 ? unary(n.op, l) : binary(n.op, l, (*this)(*n.operands[1]));
    if (v > largest || v < -largest) overflow();
    return v;
  }

 private:
  std::int64_t unary(Op op, std::int64_t x) const {
    switch (op) {
      case Op::negate: return -x;
      case Op::complement: return ~x;
      case Op::negation: return x == 0;
      case Op::tree_width: return tree_width(x);
      default:
        if (x < 1) throw RequestError(fmt::format("The formula takes log2 of {}; it must be positive.", x));
        return std::bit_width(static_cast<std::uint64_t>(x)) - 1;
    }
  }

  std::int64_t binary(Op op, std::int64_t l, std::int64_t r) const {
    if ((op == Op::divide || op == Op::remainder || op == Op::ceil_div) && r == 0)
      throw RequestError(fmt::format("The formula divides by zero at {}.", values.empty() ? 0 : values[0]));
    std::int64_t v = 0;
    switch (op) {
      case Op::bit_or: return l | r;
      case Op::bit_xor: return l ^ r;
      case Op::bit_and: return l & r;
      case Op::equal: return l == r;
      case Op::unequal: return l != r;
      case Op::less: return l < r;
      case Op::less_equal: return l <= r;
      case Op::greater: return l > r;
      case Op::greater_equal: return l >= r;
      case Op::shift_right: return shift_right(l, r);
      case Op::divide: return l / r;
      case Op::remainder: return l % r;
      case Op::ceil_div: return l / r + (l % r != 0 && (l < 0) == (r < 0));
      case Op::min: return std::min(l, r);
      case Op::max: return std::max(l, r);
      case Op::shift_left:
        if (std::abs(l) > INT32_MAX) overflow();
        return shift_left(l, r);
      case Op::add:
        if (__builtin_add_overflow(l, r, &v)) overflow();
        return v;
      case Op::subtract:
        if (__builtin_sub_overflow(l, r, &v)) overflow();
        return v;
      default:
        if (__builtin_mul_overflow(l, r, &v)) overflow();
        return v;
    }
  }

  [[noreturn]] void overflow() const {
    throw RequestError(
        fmt::format("The formula grows beyond {} at {}.", largest, values.empty() ? 0 : values[0]));
  }
};

std::string source(const Node& n, const std::vector<std::string>& variables) {
  if (n.op == Op::number) return fmt::format("{}", n.number);
  if (n.op == Op::variable) return variables[static_cast<std::size_t>(n.number)];
  std::vector<std::string> x;
  for (const NodePtr& operand : n.operands) x.push_back(source(*operand, variables));
  switch (n.op) {
    case Op::negate: return fmt::format("(-{})", x[0]);
    case Op::complement: return fmt::format("(~{})", x[0]);
    case Op::negation: return fmt::format("(!{})", x[0]);
    case Op::choose: return fmt::format("({} ? {} : {})", x[0], x[1], x[2]);
    case Op::log2: return fmt::format("(31 - __clz({}))", x[0]);
    case Op::tree_width: return fmt::format("({0} <= 2 ? 2 : 1 << (32 - __clz({0} - 1)))", x[0]);
    case Op::min: return fmt::format("({0} < {1} ? {0} : {1})", x[0], x[1]);
    case Op::max: return fmt::format("({0} < {1} ? {1} : {0})", x[0], x[1]);
    case Op::ceil_div:
      return fmt::format("({0} / {1} + ({0} % {1} != 0 && ({0} < 0) == ({1} < 0)))", x[0], x[1]);
    case Op::shift_left: return fmt::format("shift_left({}, {})", x[0], x[1]);
    case Op::shift_right: return fmt::format("shift_right({}, {})", x[0], x[1]);
    default: break;
  }
  const auto* symbol = std::find_if(std::begin(binary_symbols), std::end(binary_symbols),
                                    [&](const Symbol& s) { return s.op == n.op; });
  return fmt::format("({} {} {})", x[0], symbol->text, x[1]);
}

bool has(const Node& n, std::int64_t variable) {
  return (n.op == Op::variable && n.number == variable) ||
         std::any_of(n.operands.begin(), n.operands.end(),
                     [&](const NodePtr& o) { return has(*o, variable); });
}

}  // namespace

Formula::Formula(std::string_view text, std::vector<std::string> variables)
    : text_(text), variables_(std::move(variables)), root_(Parser(text_, variables_).whole()) {}

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
