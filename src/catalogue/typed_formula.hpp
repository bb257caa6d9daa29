// A formula that a user typed: an operator in a and b, such as "a + b - a * b", or a predicate in x. It is
// computed in the type of the elements.
//
// Integers wrap, and their division by zero returns 0. Floats round after each operation. Both branches of ?:
// are computed. A GPU executes the same operations one by one, so its results have the same bits.
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
  // `text` may use one or two variables, C's operators for numbers, with C's precedence, and the functions
  // min and max. Throws RequestError if the text is not such an expression.
  TypedFormula(std::string_view text, std::vector<std::string> variables);
  // Returns the expression as printed from its tree, with only the parentheses that are necessary.
  const std::string& text() const { return text_; }
  // Returns the number of operations on the longest path from a variable to the result.
  int depth() const { return depth_; }
  // Returns the numbers that occur in the expression.
  std::vector<long double> numbers() const;
  // Throws RequestError if the type lacks one of the operations (floats have no %) or one of the numbers (an
  // integer type has no fractions). The error names the types that lack nothing and for which `is_allowed`
  // returns true.
  void expect_type(Scalar type, const std::function<bool(Scalar)>& is_allowed) const;

  // Returns the value of the expression for values of its variables.
  Value value(Scalar type, std::initializer_list<const Value*> values) const;
  // Returns whether the value is not 0.
  bool is_true(Scalar type, std::initializer_list<const Value*> values) const;

  // A value in wide arithmetic. `size` is the result of the same operations on absolute values; it limits the
  // rounding error.
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

  // Returns the first part of the formula that a type lacks, such as "%"; empty if it lacks nothing.
  std::string missing_in(Scalar type) const;

  std::string text_, integers_only_;  // an operation that floats do not have, or empty
  int depth_ = 0;
  std::vector<std::string> variables_;
  std::shared_ptr<const FormulaNode> root_;
  std::vector<Instruction> program_;  // the tree, operands first
};

// Returns a number of a type as CUDA C++ source: `x` if the type is for real numbers, else `whole`, which
// wraps in uint32.
std::string cuda_number(double x, std::int64_t whole, Scalar type);

}  // namespace upsweep
