#include "catalogue/formula.hpp"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <vector>

#include "base/error.hpp"

namespace upsweep {

// A node is a number, the variable, or an operator over one or two nodes.
struct Formula::Node {
  std::string symbol;  // "1" for a number, "x" for the variable, else the operator
  std::int64_t number = 0;
  std::shared_ptr<const Node> left, right;  // a unary operator has only right
};

namespace {

using Node = Formula::Node;
using NodePtr = std::shared_ptr<const Node>;

// C's binary operators from the loosest to the tightest.
const std::vector<std::vector<std::string>> precedence = {{"|"},        {"^"},      {"&"},
                                                          {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};

class Parser {
 public:
  Parser(std::string_view text, char variable) : text_(text), variable_(variable) {}

  NodePtr whole() {
    NodePtr node = binary(0);
    if (!peek().empty()) fail("an operator or the end");
    return node;
  }

 private:
  NodePtr binary(std::size_t level) {
    if (level == precedence.size()) return unary();
    NodePtr left = binary(level + 1);
    for (;;) {
      std::string symbol;
      for (const std::string& s : precedence[level])
        if (peek().starts_with(s)) symbol = s;
      if (symbol.empty()) return left;
      at_ += symbol.size();
      left = std::make_shared<Node>(Node{symbol, 0, left, binary(level + 1)});
    }
  }

  NodePtr unary() {
    if (++depth_ > 100) fail("fewer nested parentheses or signs (at most 100)");
    NodePtr node;
    const std::string_view rest = peek();
    if (rest.starts_with('-') || rest.starts_with('~')) {
      ++at_;
      node = std::make_shared<Node>(Node{std::string(1, rest[0]), 0, nullptr, unary()});
    } else {
      node = primary();
    }
    --depth_;
    return node;
  }

  NodePtr primary() {
    const std::string_view rest = peek();
    if (rest.starts_with('(')) return parenthesised();
    if (rest.starts_with("log2")) {
      at_ += 4;
      if (!peek().starts_with('(')) fail("( after log2");
      return std::make_shared<Node>(Node{"log2", 0, nullptr, parenthesised()});
    }
    if (!rest.empty() && rest[0] == variable_ &&
        (rest.size() == 1 || !std::isalnum(static_cast<unsigned char>(rest[1])))) {
      ++at_;
      return std::make_shared<Node>(Node{"x", 0, nullptr, nullptr});
    }
    if (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0]))) return number();
    fail(fmt::format("a number, {} or (", variable_));
  }

  NodePtr parenthesised() {
    ++at_;
    NodePtr node = binary(0);
    if (!peek().starts_with(')')) fail(")");
    ++at_;
    return node;
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
    if (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
      fail("a whole number and then an operator");
    return std::make_shared<Node>(Node{"1", value, nullptr, nullptr});
  }

  std::string_view peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return text_.substr(at_);
  }

  [[noreturn]] void fail(const std::string& expected) {
    const std::string_view rest = peek();
    throw RequestError(fmt::format(
        "The formula \"{}\" stops making sense at {}: expected {}.", text_,
        rest.empty() ? std::string("its end") : fmt::format("character {} ('{}')", at_ + 1, rest[0]),
        expected));
  }

  std::string_view text_;
  char variable_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

std::int64_t shift_right(std::int64_t a, std::int64_t count) {
  return count < 0 || count > 31 ? (a < 0 ? -1 : 0) : a >> count;
}
std::int64_t shift_left(std::int64_t a, std::int64_t count) {
  return count < 0 || count > 31 ? 0 : a * (std::int64_t{1} << count);
}

std::int64_t evaluate(const Node& node, std::int64_t x, std::int64_t largest) {
  if (node.symbol == "1") return node.number;
  if (node.symbol == "x") return x;
  const std::int64_t r = evaluate(*node.right, x, largest);
  if (node.symbol == "log2") {
    if (r < 1) throw RequestError(fmt::format("The formula takes log2 of {}; it must be positive.", r));
    return std::bit_width(static_cast<std::uint64_t>(r)) - 1;
  }
  if (!node.left) return node.symbol == "-" ? -r : ~r;
  const std::int64_t l = evaluate(*node.left, x, largest);
  if ((node.symbol == "/" || node.symbol == "%") && r == 0)
    throw RequestError(fmt::format("The formula divides by zero at {}.", x));
  std::int64_t v = 0;
  bool overflow = false;
  if (node.symbol == "+") overflow = __builtin_add_overflow(l, r, &v);
  if (node.symbol == "-") overflow = __builtin_sub_overflow(l, r, &v);
  if (node.symbol == "*") overflow = __builtin_mul_overflow(l, r, &v);
  if (node.symbol == "/") v = l / r;
  if (node.symbol == "%") v = l % r;
  if (node.symbol == "&") v = l & r;
  if (node.symbol == "^") v = l ^ r;
  if (node.symbol == "|") v = l | r;
  if (node.symbol == ">>") v = shift_right(l, r);
  if (node.symbol == "<<" && !(overflow = std::abs(l) > INT32_MAX)) v = shift_left(l, r);
  if (overflow || v > largest || v < -largest)
    throw RequestError(fmt::format("The formula grows beyond {} at {}.", largest, x));
  return v;
}

std::string source(const Node& node, char variable) {
  if (node.symbol == "1") return fmt::format("{}", node.number);
  if (node.symbol == "x") return fmt::format("{}", variable);
  const std::string r = source(*node.right, variable);
  if (node.symbol == "log2") return fmt::format("(31 - __clz({}))", r);
  if (!node.left) return fmt::format("({}{})", node.symbol, r);
  const std::string l = source(*node.left, variable);
  if (node.symbol == "<<") return fmt::format("shift_left({}, {})", l, r);
  if (node.symbol == ">>") return fmt::format("shift_right({}, {})", l, r);
  return fmt::format("({} {} {})", l, node.symbol, r);
}

}  // namespace

Formula::Formula(std::string_view text, char variable)
    : root_(Parser(text, variable).whole()), variable_(variable) {}

std::int64_t Formula::operator()(std::int64_t x, std::int64_t largest) const {
  return evaluate(*root_, x, largest);
}

std::string Formula::c_source() const { return source(*root_, variable_); }

}  // namespace upsweep
