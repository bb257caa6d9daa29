// Formulas that a person types or a kernel's header states: whole-number C expressions in one variable, with
// C's precedence (so that a macro copied without its parentheses shows what it really computes).
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace upsweep {

// Operators: + - * / % << >> & ^ | unary - and ~, parentheses, decimal and 0x numbers, the variable,
// log2(...). Shifts by 32 or more give 0 (for negative numbers under >>: -1), as the GPU's shift instruction
// does.
class Formula {
 public:
  // Throws RequestError with the position and what was expected.
  Formula(std::string_view text, char variable);
  // Value at `x`. Throws RequestError on division by zero, and if it or any part of it grows beyond
  // `largest`: pass 2^31 - 1 for what a kernel computes in 32 bits.
  std::int64_t operator()(std::int64_t x, std::int64_t largest = std::int64_t{1} << 62) const;
  // The same as C source in 32-bit ints, fully parenthesised; shifts by a call of shift_left / shift_right.
  std::string c_source() const;

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
  char variable_;
};

}  // namespace upsweep
