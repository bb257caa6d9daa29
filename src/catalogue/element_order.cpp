#include "catalogue/element_order.hpp"

#include <cstring>

#include "trace/settings.hpp"

namespace upsweep {
namespace {

template <class Bits>
std::uint64_t ordered(Scalar type, const Value& element, Bits infinity) {
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1)),
                 all = static_cast<Bits>(~Bits{0});
  Bits bits;
  std::memcpy(&bits, element.data(), sizeof bits);
  if (type == Scalar::uint32) return bits;
  if (!is_real(type)) return static_cast<Bits>(bits ^ sign);
  if (static_cast<Bits>(bits & ~sign) > infinity) return all;  // NaN
  return static_cast<Bits>(bits ^ (bits & sign ? all : sign));
}

}  // namespace

std::uint64_t order_bits(Scalar type, const Value& element) {
  switch (scalar_bytes(type)) {
    case 2: return ordered<std::uint16_t>(type, element, 0x7c00);
    case 4: return ordered<std::uint32_t>(type, element, 0x7f800000);
    default: return ordered<std::uint64_t>(type, element, 0x7ff0000000000000);
  }
}

}  // namespace upsweep
