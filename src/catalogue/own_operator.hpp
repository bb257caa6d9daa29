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
  // Operators: C's operators for numbers, with C's precedence, and the functions min and max. Throws
  // RequestError.
  explicit OwnOperator(std::string_view text);
  // Returns the expression as parsed and printed, with no more parentheses than it needs.
  const std::string& text() const { return text_; }
  // Returns the part of the expression that floats do not support, such as "%"; empty if floats support all
  // of it.
  const std::string& integers_only() const { return integers_only_; }
  // Returns whether it has a number with a fraction or beyond 2^31, which not all integer types can hold.
  bool has_fraction() const { return has_fraction_; }
  // Returns the number of operations of the longest path from an operand to the result.
  int depth() const { return depth_; }

  Value operator()(Scalar type, const Value& a, const Value& b) const;

  // A value in wide arithmetic. `size` is the result of the same operations on absolute values; it bounds the
  // rounding error.
  struct Wide {
    long double value = 0, size = 0;
  };
  Wide operator()(const Wide& a, const Wide& b) const;

  // Returns the expression as CUDA C++ for a type: calls of the functions in vocabulary/gpu_own.cuh.
  std::string cuda_source(Scalar type) const;

 private:
  // Takes its operands from the top of a stack and puts the result there.
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

// Reads the identity of a user's operator. Throws RequestError if it is no number of the type.
Value own_identity(const std::string& text, Scalar type);

// Returns the identity of a user's operator as CUDA C++.
std::string own_identity_source(const Settings& s);

// Puts a user's operator into the settings, as it is printed. Throws RequestError if the expression is
// invalid.
void choose_own(Settings& s, std::string_view expression, std::string_view identity);

// Checks the settings if they have a user's operator. Throws RequestError unless its expression and its
// identity fit the type, it is associative with this identity, and it is commutative if the algorithm needs
// that. The check tests numbers of `input` (or digits if it is empty) and results of the operator.
void expect_lawful(const Algorithm& a, const Settings& s, std::span<const Value> input = {});

}  // namespace upsweep
