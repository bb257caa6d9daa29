// Reads and prints elements, which are stored as raw bits.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// Returns scalar k of an element. A long double is exact for every type, but a double is not exact for int64.
// k is 0 for a number. For an affine map x -> a*x + b, k is 0 for a and 1 for b.
long double scalar(const Value& v, Scalar type, int k = 0);

// Sets scalar k of the value, as the reverse of scalar(). `x` must be representable in `type`.
void set_scalar(Value& v, Scalar type, int k, long double x);

// Returns the largest finite number of a type.
long double largest_number(Scalar type);

// Returns the operator of cells of this kind: + for counts, else the operator in the settings.
inline Operator operator_of(const Settings& s, Cells cells) {
  return value_kind(cells) == Cells::counts ? Operator::sum : s.op;
}

// Returns the operator's identity. The identity of min is the type's largest finite number, and the identity
// of max is the lowest finite number.
Value identity(const Settings& s);

// Returns an element's exact text: "7" or "0.1", or "2x+3" for an affine map. Reading the text produces the
// same number.
std::string exact_text(const Value& v, const Settings& s);

// Returns an element's text for a small cell in a picture, such as "-2.1e9". The numbers may be rounded. The
// text has at most `room` characters if that is possible.
std::string short_text(const Value& v, const Settings& s, int room = 5);

// These two functions print the contents of a cell of any kind. For a message, they leave out the word.
std::string exact_text(const Value& v, const Settings& s, Cells cells);
std::string short_text(const Value& v, const Settings& s, Cells cells, int room = 5);

// Converts elements to their form in memory, `width` bytes each, and back.
std::vector<std::byte> packed(std::span<const Value> values, std::size_t width);
std::vector<Value> unpacked(std::span<const std::byte> bytes, std::size_t width);

}  // namespace upsweep
