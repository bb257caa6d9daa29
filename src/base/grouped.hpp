// Writes numbers for people.
#pragma once
#include <cstdint>
#include <string>

namespace upsweep {

// Returns a number with its thousands grouped: "1,022".
inline std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const int sign = number < 0 ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > sign; at -= 3) digits.insert(at, ",");
  return digits;
}

}  // namespace upsweep
