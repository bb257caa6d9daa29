// Formulas that a person types or a kernel's header states: whole-number C expressions, with C's precedence
// (so that a macro copied without its parentheses shows what it really computes).
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

// Operators: + - * / % << >> & ^ | && || == != < <= > >= ?: unary - ~ and !, parentheses, decimal and 0x
// numbers, variables, and the functions log2 (rounded down), tree_width (up to a power of two, at least 2),
// min, max and ceil_div. Shifts by 32 or more give 0 (for negative numbers under >>: -1), as the GPU's shift
// instruction does.
class Formula {
 public:
  // Throws RequestError with the position and what was expected.
  Formula(std::string_view text, std::vector<std::string> variables);
  Formula(std::string_view text, char variable) : Formula(text, {std::string(1, variable)}) {}
  // Value where the variables have these values, in their order. Throws RequestError on division by zero, and
  // if it or any part of it grows beyond `largest`: pass 2^31 - 1 for what a kernel computes in 32 bits.
  std::int64_t operator()(std::span<const std::int64_t> values,
                          std::int64_t largest = std::int64_t{1} << 62) const;
  // The same for a formula in one variable.
  std::int64_t operator()(std::int64_t x, std::int64_t largest = std::int64_t{1} << 62) const {
    return (*this)(std::span(&x, 1), largest);
  }
  bool mentions(std::string_view variable) const;
  // The same as C source in 32-bit ints, fully parenthesised; shifts by a call of shift_left / shift_right.
  std::string c_source() const;
  // As it was written.
  const std::string& text() const { return text_; }

  struct Node;

 private:
  std::string text_;
  std::vector<std::string> variables_;
  std::shared_ptr<const Node> root_;
};

// n rounded up to a power of two, at least 2: the leaves of a tree over n elements.
std::int64_t tree_width(std::int64_t n);

}  // namespace upsweep
