// Reads and computes formulas that a user types or that a kernel file states. Formulas are C expressions of
// whole numbers, with C's precedence. So a macro that lacks parentheses has the same wrong value as in C.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

struct FormulaNode;

// A formula may have the operators + - * / % << >> & ^ | && || == != < <= > >= ?: and the unary operators - ~
// !. A formula may also have parentheses, decimal numbers, 0x numbers, variables and functions. The functions
// are log2 (rounded down), tree_width (rounds up to a power of two, at least 2), min, max and ceil_div.
//
// As on the GPU, a shift by 32 or more returns 0. But >> of a negative number by 32 or more returns -1.
class Formula {
 public:
  // Throws RequestError if the text is not a formula. The error states the position of the mistake and the
  // text that was expected there.
  Formula(std::string_view text, std::vector<std::string> variables);
  Formula(std::string_view text, char variable) : Formula(text, {std::string(1, variable)}) {}
  // Returns the formula's value. `values` are the values of the variables, in their order. Throws
  // RequestError in these cases:
  // - The formula divides by zero.
  // - The argument of log2 is not positive.
  // - The absolute value of any intermediate result exceeds `largest`. Pass 2^31 - 1 as `largest` for a
  //   formula that a kernel computes in 32 bits.
  std::int64_t operator()(std::span<const std::int64_t> values,
                          std::int64_t largest = std::int64_t{1} << 62) const;
  // Returns the value of a formula that has one variable.
  std::int64_t operator()(std::int64_t x, std::int64_t largest = std::int64_t{1} << 62) const {
    return (*this)(std::span(&x, 1), largest);
  }
  bool mentions(std::string_view variable) const;
  // Returns the formula as C source that computes with 32-bit ints. Each operation is in parentheses. Shifts
  // become calls of shift_left and shift_right.
  std::string c_source() const;
  // Returns the formula as it was written.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::string> variables_;
  std::shared_ptr<const FormulaNode> root_;
};

// Returns n rounded up to a power of two, at least 2: the number of leaves of a tree over n elements.
std::int64_t tree_width(std::int64_t n);

}  // namespace upsweep
