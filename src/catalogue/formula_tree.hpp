// Reads formulas: turns a C expression into a syntax tree.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

enum class FormulaOp {
  number,
  real,
  variable,  // number, real and variable are leaves
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

// A node of the tree: a leaf, or an operator with one, two or three operands. The operands are nodes, too.
struct FormulaNode {
  FormulaOp op;
  std::int64_t number = 0;  // a number, or the index of a variable
  double real = 0;          // a number with a point or an exponent
  std::vector<std::shared_ptr<const FormulaNode>> operands{};
};

// A symbol in formulas. For a binary operator, `level` is its precedence; a higher level binds tighter. For a
// function, `level` is the number of its arguments.
struct FormulaSymbol {
  std::string_view text;
  FormulaOp op;
  int level;
};
// Returns the symbol of an operator with two operands. Returns null for other nodes.
const FormulaSymbol* binary_symbol(FormulaOp op);

// Reads a formula in these variables. If `decimals` is true, numbers may have a point and an exponent. Throws
// RequestError if the text is not a formula. The error states the position of the mistake and the text that
// was expected there.
std::shared_ptr<const FormulaNode> parse_formula(std::string_view text,
                                                 const std::vector<std::string>& variables,
                                                 bool decimals = false);

}  // namespace upsweep
