// Makes values from numbers.
#pragma once
#include <cstring>
#include <vector>

#include "trace/value.hpp"

namespace upsweep {

// Returns a value that contains the bits of the number.
template <class N>
Value value_of(N x) {
  Value v{};
  std::memcpy(v.data(), &x, sizeof x);
  return v;
}
template <class N>
std::vector<Value> values_of(const std::vector<N>& numbers) {
  std::vector<Value> all;
  for (const N x : numbers) all.push_back(value_of(x));
  return all;
}

}  // namespace upsweep
