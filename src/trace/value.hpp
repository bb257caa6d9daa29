// Reads and prints the raw bits of an element.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// Returns scalar k of an element, exactly (a double could not represent every int64). k is 0, or 1 for b of
// an affine map.
long double scalar(const Value& v, Scalar type, int k = 0);

// The reverse of scalar(): sets scalar k of the value. `x` must be representable in `type`.
void set_scalar(Value& v, Scalar type, int k, long double x);

// Returns the operator's identity. For min and max it is the type's largest and lowest finite number.
Value identity(const Settings& s);

// Returns the exact text: "7", "0.1", "2x+3" for an affine map. It is the shortest text from which the same
// bits are read.
std::string exact_text(const Value& v, const Settings& s);

// Returns a text for a cell: at most `room` characters if any form fits, such as "-2.1e9".
std::string short_text(const Value& v, const Settings& s, int room = 5);

// Converts elements to their form in memory, `width` bytes each, and back.
std::vector<std::byte> packed(std::span<const Value> values, std::size_t width);
std::vector<Value> unpacked(std::span<const std::byte> bytes, std::size_t width);

}  // namespace upsweep
