// The syntax of formulas: a C expression becomes a tree.
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

// A leaf, or an operator over one, two or three nodes.
struct FormulaNode {
  FormulaOp op;
  std::int64_t number = 0;  // a number, or the index of a variable
  double real = 0;          // a number with a point or an exponent
  std::vector<std::shared_ptr<const FormulaNode>> operands{};
};

// A symbol of the language. `level` of a binary operator: from the loosest to the tightest; `level` of a
// function: the number of its arguments.
struct FormulaSymbol {
  std::string_view text;
  FormulaOp op;
  int level;
};
// Returns the symbol of a binary operator; null for other nodes.
const FormulaSymbol* binary_symbol(FormulaOp op);

// Reads a formula in these variables. `decimals`: numbers may have a point and an exponent. Throws
// RequestError, which states the position and what was expected there.
std::shared_ptr<const FormulaNode> parse_formula(std::string_view text,
                                                 const std::vector<std::string>& variables,
                                                 bool decimals = false);

}  // namespace upsweep
