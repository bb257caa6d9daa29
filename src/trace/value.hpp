// Reading and printing the raw bits of an element.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// The k-th scalar of an element, exactly (a double would have no room for an int64); k is 0, or 1 for an
// affine map's b.
long double scalar(const Value& v, Scalar type, int k = 0);

// The same the other way: the value's bits in slot k. `x` must be representable in `type`.
void set_scalar(Value& v, Scalar type, int k, long double x);

// The operator's identity; for min and max the type's largest and lowest finite number.
Value identity(const Settings& s);

// As exact text: "7", "0.1", "2x+3" for an affine map. Shortest text that reads back to the same bits.
std::string exact_text(const Value& v, const Settings& s);

// As text for a cell: at most `room` characters where any form fits, such as "-2.1e9".
std::string short_text(const Value& v, const Settings& s, int room = 5);

// Elements as they lie in memory, `width` bytes each, and back.
std::vector<std::byte> packed(std::span<const Value> values, std::size_t width);
std::vector<Value> unpacked(std::span<const std::byte> bytes, std::size_t width);

}  // namespace upsweep
