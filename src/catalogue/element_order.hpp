// The order in which a sort arranges elements.
#pragma once
#include <cstdint>

#include "trace/trace.hpp"

namespace upsweep {

// Returns a number with as many bits as the element. Of two elements, the one with the smaller number comes
// first: numbers by value, -0 before +0, and NaN last. All NaN have the same number, whose bits are all 1.
std::uint64_t order_bits(Scalar type, const Value& element);

}  // namespace upsweep
