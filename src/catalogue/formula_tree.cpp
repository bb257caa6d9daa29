#include "catalogue/formula_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "base/utf8.hpp"

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
constexpr std::size_t longest_text = 1000;  // a number of characters

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
      throw RequestError(tr("A formula of {} characters is too long: give at most {}.",
                            grouped(std::ssize(text_)), grouped(longest_text)));
    NodePtr root = choice();
    if (!peek().empty()) fail(tr("an operator or the end"));
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

  // Returns the longest operator that begins at this position. Returns null if no operator begins here.
  const FormulaSymbol* binary_symbol() {
    const std::string_view rest = peek();
    const FormulaSymbol* longest = nullptr;
    for (const FormulaSymbol& s : binary_symbols)
      if (rest.starts_with(s.text) && (!longest || s.text.size() > longest->text.size())) longest = &s;
    return longest;
  }

  NodePtr unary() {
    if (++depth_ > 100) fail(tr("fewer nested parentheses or signs (at most 100)"));
    NodePtr result = signed_operand();
    --depth_;
    return result;
  }

  NodePtr signed_operand() {
    const std::string_view rest = peek();
    if (rest.empty() || std::string_view("+-~!").find(rest[0]) == std::string_view::npos) return primary();
    ++at_;
    switch (rest[0]) {
      case '+': return unary();
      case '~': return node(FormulaOp::complement, {unary()});
      case '!': return node(FormulaOp::negation, {unary()});
      default:
        // If decimals_ is true, the number is read together with its sign, because the lowest integer has no
        // positive counterpart.
        return decimals_ && begins_number() ? number(true) : node(FormulaOp::negate, {unary()});
    }
  }

  NodePtr primary() {
    const std::string_view rest = peek();
    if (rest.starts_with('(')) {
      ++at_;
      NodePtr inner = choice();
      expect(")");
      return inner;
    }
    if (begins_number()) return number(false);
    std::size_t length = 0;
    while (length < rest.size() && is_name_letter(rest[length])) ++length;
    const std::string_view name = rest.substr(0, length);
    const auto* function = std::find_if(std::begin(functions), std::end(functions),
                                        [&](const FormulaSymbol& f) { return f.text == name; });
    if (function != std::end(functions)) return call(*function);
    const auto variable = std::find(variables_.begin(), variables_.end(), name);
    if (variable == variables_.end()) fail(tr("a number, {} or (", fmt::join(variables_, ", ")));
    at_ += length;
    return leaf(FormulaOp::variable, variable - variables_.begin());
  }

  NodePtr call(const FormulaSymbol& function) {
    at_ += function.text.size();
    if (!peek().starts_with('(')) fail(tr("( after {}", function.text));
    ++at_;
    std::vector<NodePtr> arguments{choice()};
    while (static_cast<int>(arguments.size()) < function.level) {
      expect(",");
      arguments.push_back(choice());
    }
    expect(")");
    return node(function.op, std::move(arguments));
  }

  bool begins_number() {
    const std::string_view rest = peek();
    const std::size_t digit = decimals_ && rest.starts_with('.') ? 1 : 0;
    return rest.size() > digit && std::isdigit(static_cast<unsigned char>(rest[digit]));
  }

  // Reads a number after its sign.
  NodePtr number(bool is_negative) {
    return decimals_ && is_decimal(peek()) ? decimal(is_negative) : integer(is_negative);
  }

  // Returns whether the number at the beginning of the text has a point or an exponent.
  static bool is_decimal(std::string_view rest) {
    const std::size_t end = rest.find_first_not_of("0123456789");
    return end != rest.npos && (rest[end] == '.' || rest[end] == 'e' || rest[end] == 'E');
  }

  NodePtr decimal(bool is_negative) {
    double x = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), x);
    if (error != std::errc()) fail(tr("a number that a double can hold"));
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && (is_name_letter(text_[at_]) || text_[at_] == '.')) fail(tr("an operator"));
    return std::make_shared<FormulaNode>(FormulaNode{FormulaOp::real, 0, is_negative ? -x : x});
  }

  // Reads a whole number. If decimals_ is true, a whole number that does not fit into 64 bits becomes a real
  // number, unless the number is hexadecimal.
  NodePtr integer(bool is_negative) {
    const bool hex = text_.substr(at_).starts_with("0x");
    if (hex) at_ += 2;
    const std::size_t begin = at_;
    const std::uint64_t most = decimals_ ? std::uint64_t{INT64_MAX} + is_negative : INT32_MAX;
    std::uint64_t value = 0;
    for (; at_ < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_])));
      if (c > '9' && !hex) break;
      const unsigned base = hex ? 16 : 10, digit = static_cast<unsigned>(c > '9' ? c - 'a' + 10 : c - '0');
      if (value > (most - digit) / base) {
        at_ = begin;
        if (decimals_ && !hex) return decimal(is_negative);
        fail(decimals_ ? tr("a hexadecimal number of at most 0x7fffffffffffffff")
                       : tr("a number of at most 2^31 - 1"));
      }
      value = value * base + digit;
    }
    if (at_ == begin) fail("digits");
    if (!hex && at_ > begin + 1 && text_[begin] == '0') {
      at_ = begin;
      fail(tr("a number without a leading zero, because C reads 010 as 8"));
    }
    if (at_ < text_.size() && (is_name_letter(text_[at_]) || text_[at_] == '.'))
      fail(tr("a whole number, followed by an operator"));
    return leaf(FormulaOp::number, static_cast<std::int64_t>(is_negative ? -value : value));
  }

  std::string_view peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return text_.substr(at_);
  }

  void expect(std::string_view symbol) {
    if (!peek().starts_with(symbol)) fail(fmt::format("'{}'", symbol));
    at_ += symbol.size();
  }

  [[noreturn]] void fail(const std::string& expected) {
    const std::string_view rest = peek();
    const auto before = static_cast<std::int64_t>(character_count(text_.substr(0, at_)));
    throw RequestError(tr("The formula \"{}\" has an error at {}: expected {}.", text_,
                          rest.empty()
                              ? std::string(tr("its end"))
                              : tr("character {} ('{}')", grouped(before + 1), first_characters(rest, 1)),
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
