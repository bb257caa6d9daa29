// Computes a formula that a user typed: an operator in a and b, such as "a + b - a * b", or a predicate in x.
// The formula is computed in the type of the elements.
//
// Integers wrap, and an integer division by zero returns 0. Floats round after each operation. Both branches
// of ?: are computed. A GPU executes the same operations one by one, so the GPU's results have the same bits.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/formula_tree.hpp"
#include "trace/trace.hpp"

namespace upsweep {

class TypedFormula {
 public:
  // `variables` has one or two names. `text` may contain these variables, numbers, C's operators for numbers,
  // and the functions `min` and `max`. The operators have C's precedence. Throws RequestError if the text is
  // not such an expression.
  TypedFormula(std::string_view text, std::vector<std::string> variables);
  // Returns the expression as text, with only the necessary parentheses.
  const std::string& text() const { return text_; }
  // Returns the number of operations on the longest path from a variable to the result.
  int depth() const { return depth_; }
  // Returns the numbers that occur in the expression.
  std::vector<long double> numbers() const;
  // Throws RequestError if the type lacks an operation (floats have no %) or a number (an integer type has no
  // fractions). The error names the types that have all operations and numbers, and for which `is_allowed`
  // returns true.
  void expect_type(Scalar type, const std::function<bool(Scalar)>& is_allowed) const;

  // Returns the value of the expression for values of its variables.
  Value value(Scalar type, std::initializer_list<const Value*> values) const;
  // Returns whether the value is not 0.
  bool is_true(Scalar type, std::initializer_list<const Value*> values) const;

  // A value in wide arithmetic. `size` is the result of the same operations on absolute values. The bound of
  // the rounding error is proportional to `size`.
  struct Wide {
    long double value = 0, size = 0;
  };
  Wide wide(std::initializer_list<Wide> values) const;

  // Returns the expression as CUDA C++ source for a type. The source calls the functions in
  // vocabulary/gpu_own.cuh.
  std::string cuda_source(Scalar type) const;

 private:
  // An instruction takes its operands from the top of a stack and puts its result there.
  struct Instruction {
    FormulaOp op;
    std::int64_t number;
    double real;
  };
  template <class N>
  N compute(const N* values) const;

  // Returns the first part of the formula that the type lacks, such as "%". Returns an empty text if the type
  // lacks nothing.
  std::string missing_in(Scalar type) const;

  std::string text_, integers_only_;  // `integers_only_` is an operation that floats do not have, or empty
  int depth_ = 0;
  std::vector<std::string> variables_;
  std::shared_ptr<const FormulaNode> root_;
  std::vector<Instruction> program_;  // computes the tree: operands come before their operator
};

// Returns a number of a type as CUDA C++ source. The number is `x` if the type is for real numbers, else
// `whole`. For uint32, `whole` wraps.
std::string cuda_number(double x, std::int64_t whole, Scalar type);

}  // namespace upsweep
