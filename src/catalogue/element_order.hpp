// Defines the order in which a sort arranges elements.
#pragma once
#include <cstdint>

#include "trace/trace.hpp"

namespace upsweep {

// Returns a number with as many bits as the element. A sort puts an element with a smaller result before an
// element with a larger result. Numbers are sorted by value, with -0 before +0, and NaN last. All bits of the
// result for a NaN are 1.
std::uint64_t order_bits(Scalar type, const Value& element);

}  // namespace upsweep
