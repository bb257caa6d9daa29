// An operator that the user typed: a C expression in a and b, such as "a + b - a * b".
//
// It is computed in the type of the elements. Integers wrap, and their division by zero returns 0. Floats
// round after each operation. Both branches of ?: are computed. A GPU compiles the same operations one by
// one, so that it gets the same bits.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/formula_tree.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Algorithm;

// An expression that can be computed.
class OwnOperator {
 public:
  // `text` may use C's operators for numbers, with C's precedence, and the functions min and max. Throws
  // RequestError if the text is not such an expression.
  explicit OwnOperator(std::string_view text);
  // Returns the expression as printed from its tree, with only the parentheses that are necessary.
  const std::string& text() const { return text_; }
  // Returns a part of the expression that floats do not support, such as "%". Returns an empty text if floats
  // support all parts.
  const std::string& integers_only() const { return integers_only_; }
  // Returns whether the expression has a number that not all integer types can hold: a fraction, or one
  // beyond 2^31.
  bool has_fraction() const { return has_fraction_; }
  // Returns how many operations the longest path from an operand to the result has.
  int depth() const { return depth_; }

  Value operator()(Scalar type, const Value& a, const Value& b) const;

  // A value in wide arithmetic. `size` is the result of the same operations on absolute values; it limits the
  // rounding error.
  struct Wide {
    long double value = 0, size = 0;
  };
  Wide operator()(const Wide& a, const Wide& b) const;

  // Returns the expression as CUDA C++ source for a type. It calls the functions in vocabulary/gpu_own.cuh.
  std::string cuda_source(Scalar type) const;

 private:
  // An instruction takes its operands from the top of a stack and puts its result there.
  struct Instruction {
    FormulaOp op;
    std::int64_t number;
    double real;
  };
  template <class N>
  N compute(N a, N b) const;

  std::string text_, integers_only_;
  bool has_fraction_ = false;
  int depth_ = 0;
  std::shared_ptr<const FormulaNode> root_;
  std::vector<Instruction> program_;  // the tree, operands first
};

// Reads the identity of a user's operator. Throws RequestError if the text is not a number of this type.
Value own_identity(const std::string& text, Scalar type);

// Returns the identity of a user's operator as CUDA C++ source.
std::string own_identity_source(const Settings& s);

// Puts a user's operator into the settings, in the form of OwnOperator::text(). Throws RequestError if the
// expression is invalid.
void choose_own(Settings& s, std::string_view expression, std::string_view identity);

// Checks the operator of the settings if it is a user's operator. Throws RequestError unless the expression
// and the identity fit the type, the operator is associative and has this identity, and it is commutative if
// the algorithm needs that. The check uses numbers of `input` (or digits if `input` is empty) and results of
// the operator.
void expect_lawful(const Algorithm& a, const Settings& s, std::span<const Value> input = {});

}  // namespace upsweep
