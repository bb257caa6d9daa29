// Values of plain numbers.
#pragma once
#include <cstring>
#include <vector>

#include "trace/value.hpp"

namespace upsweep {

// Returns the value that holds the bits of a number.
template <class N>
Value value_of(N x) {
  Value v{};
  std::memcpy(v.data(), &x, sizeof x);
  return v;
}

}  // namespace upsweep
