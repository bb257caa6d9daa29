#include "catalogue/formula_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/error.hpp"
#include "base/grouped.hpp"

namespace upsweep {
namespace {

using NodePtr = std::shared_ptr<const FormulaNode>;

constexpr FormulaSymbol binary_symbols[] = {
    {"||", FormulaOp::either, 0},      {"&&", FormulaOp::both, 1},       {"|", FormulaOp::bit_or, 2},
    {"^", FormulaOp::bit_xor, 3},      {"&", FormulaOp::bit_and, 4},     {"==", FormulaOp::equal, 5},
    {"!=", FormulaOp::unequal, 5},     {"<=", FormulaOp::less_equal, 6}, {">=", FormulaOp::greater_equal, 6},
    {"<", FormulaOp::less, 6},         {">", FormulaOp::greater, 6},     {"<<", FormulaOp::shift_left, 7},
    {">>", FormulaOp::shift_right, 7}, {"+", FormulaOp::add, 8},         {"-", FormulaOp::subtract, 8},
    {"*", FormulaOp::multiply, 9},     {"/", FormulaOp::divide, 9},      {"%", FormulaOp::remainder, 9}};
constexpr int tightest = 9;
constexpr std::size_t longest_text = 1000;  // characters

constexpr FormulaSymbol functions[] = {{"log2", FormulaOp::log2, 1},
                                       {"tree_width", FormulaOp::tree_width, 1},
                                       {"min", FormulaOp::min, 2},
                                       {"max", FormulaOp::max, 2},
                                       {"ceil_div", FormulaOp::ceil_div, 2}};

NodePtr node(FormulaOp op, std::vector<NodePtr> operands) {
  return std::make_shared<FormulaNode>(FormulaNode{op, 0, 0, std::move(operands)});
}
NodePtr leaf(FormulaOp op, std::int64_t number) {
  return std::make_shared<FormulaNode>(FormulaNode{op, number});
}

bool is_name_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& variables, bool decimals)
      : text_(text), variables_(variables), decimals_(decimals) {}

  NodePtr whole() {
    if (text_.size() > longest_text)
      throw RequestError(fmt::format("A formula of {} characters is too long: give at most {}.",
                                     grouped(std::ssize(text_)), grouped(longest_text)));
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
    return node(FormulaOp::choose, {condition, yes, choice()});
  }

  NodePtr binary(int level) {
    if (level > tightest) return unary();
    NodePtr left = binary(level + 1);
    for (;;) {
      const FormulaSymbol* symbol = binary_symbol();
      if (!symbol || symbol->level != level) return left;
      at_ += symbol->text.size();
      left = node(symbol->op, {left, binary(level + 1)});
    }
  }

  // Returns the longest operator that begins at this position, or null.
  const FormulaSymbol* binary_symbol() {
    const std::string_view rest = peek();
    const FormulaSymbol* longest = nullptr;
    for (const FormulaSymbol& s : binary_symbols)
      if (rest.starts_with(s.text) && (!longest || s.text.size() > longest->text.size())) longest = &s;
    return longest;
  }

  NodePtr unary() {
    if (++depth_ > 100) fail("fewer nested parentheses or signs (at most 100)");
    const std::string_view rest = peek();
    NodePtr result;
    if (!rest.empty() && std::string_view("-~!").find(rest[0]) != std::string_view::npos) {
      ++at_;
      result = node(rest[0] == '-'   ? FormulaOp::negate
                    : rest[0] == '~' ? FormulaOp::complement
                                     : FormulaOp::negation,
                    {unary()});
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
    if (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])))
      return decimals_ && is_decimal(rest) ? decimal() : number();
    std::size_t length = 0;
    while (length < rest.size() && is_name_letter(rest[length])) ++length;
    const std::string_view name = rest.substr(0, length);
    const auto* function = std::find_if(std::begin(functions), std::end(functions),
                                        [&](const FormulaSymbol& f) { return f.text == name; });
    if (function != std::end(functions)) return call(*function);
    const auto variable = std::find(variables_.begin(), variables_.end(), name);
    if (variable == variables_.end()) fail(fmt::format("a number, {} or (", fmt::join(variables_, ", ")));
    at_ += length;
    return leaf(FormulaOp::variable, variable - variables_.begin());
  }

  NodePtr call(const FormulaSymbol& function) {
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

  // Returns whether the number at the beginning of the text has a point or an exponent.
  static bool is_decimal(std::string_view rest) {
    const std::size_t end = rest.find_first_not_of("0123456789");
    return end != rest.npos && (rest[end] == '.' || rest[end] == 'e' || rest[end] == 'E');
  }

  NodePtr decimal() {
    double x = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), x);
    if (error != std::errc()) fail("a number that a double can hold");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && (is_name_letter(text_[at_]) || text_[at_] == '.')) fail("an operator");
    return std::make_shared<FormulaNode>(FormulaNode{FormulaOp::real, 0, x});
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
      if (value > INT32_MAX) fail("a number of at most 2^31 - 1");
    }
    if (at_ == begin) fail("digits");
    if (at_ < text_.size() && (is_name_letter(text_[at_]) || text_[at_] == '.'))
      fail("a whole number and then an operator");
    return leaf(FormulaOp::number, value);
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
        "The formula \"{}\" has an error at {}: expected {}.", text_,
        rest.empty()
            ? std::string("its end")
            : fmt::format("character {} ('{}')", grouped(static_cast<std::int64_t>(at_) + 1), rest[0]),
        expected));
  }

  std::string_view text_;
  const std::vector<std::string>& variables_;
  const bool decimals_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

const FormulaSymbol* binary_symbol(FormulaOp op) {
  const auto* found = std::ranges::find(binary_symbols, op, &FormulaSymbol::op);
  return found == std::end(binary_symbols) ? nullptr : found;
}

std::shared_ptr<const FormulaNode> parse_formula(std::string_view text,
                                                 const std::vector<std::string>& variables, bool decimals) {
  return Parser(text, variables, decimals).whole();
}

}  // namespace upsweep
