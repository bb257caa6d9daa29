// Floating-point numbers of 16 bits (IEEE 754 binary16), because C++20 has no such type. Each operation
// rounds to nearest even, as on a GPU.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace upsweep {

class Half {
 public:
  constexpr Half() = default;
  constexpr explicit Half(float x) : bits_(rounded(x)) {}
  // Converting a double to a float and then to a Half would round twice. To avoid this, cut() cuts off the
  // double's last bits without rounding, and sets the float's last bit to 1 if any of the cut bits is 1.
  explicit Half(double x) : Half(cut(x)) {}
  explicit Half(int x) : Half(static_cast<float>(x)) {}
  explicit Half(unsigned x) : Half(static_cast<float>(x)) {}
  static constexpr Half from_bits(std::uint16_t bits) {
    Half h;
    h.bits_ = bits;
    return h;
  }
  constexpr std::uint16_t bits() const { return bits_; }
  constexpr operator float() const {
    const std::uint32_t sign = std::uint32_t{bits_ & 0x8000u} << 16,
                        size = std::uint32_t{bits_ & 0x7fffu} << 13;
    if (size >= 0x0f800000) return std::bit_cast<float>(sign | 0x70000000u | size);  // infinity or NaN
    // The exponent field of the float is the exponent field of the Half plus 112.
    //
    // A subnormal Half x has no leading 1. So this code makes the float 2^-14 + x, which has a leading 1, and
    // then subtracts 2^-14. A multiplication by 2^112 would also be correct, but would be slow: processors
    // need about a hundred clock cycles for each subnormal float.
    if (size >= 0x00800000) return std::bit_cast<float>(sign | (size + 0x38000000u));
    const float positive = std::bit_cast<float>(size + 0x38800000u) - 0x1p-14f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(positive));
  }

  // Each operation computes with floats and then rounds to a Half. The result is correct (Figueroa 1995),
  // because a float's significand has more than twice as many bits (24) as the significand of a Half (11).
  friend constexpr Half operator+(Half a, Half b) { return Half(float(a) + float(b)); }
  friend constexpr Half operator*(Half a, Half b) { return Half(float(a) * float(b)); }
  friend constexpr bool operator<(Half a, Half b) { return float(a) < float(b); }
  friend constexpr bool operator==(Half a, Half b) { return float(a) == float(b); }

 private:
  static constexpr std::uint16_t rounded(float x) {
    const auto all = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = all >> 16 & 0x8000, size = all & 0x7fffffff;
    if (size > 0x7f800000) return 0x7fff;                                      // the NaN that a GPU returns
    if (size >= 0x477ff000) return static_cast<std::uint16_t>(sign | 0x7c00);  // infinity
    if (size < 0x38800000) {
      // Below 2^-14, the Half is subnormal, and its last bit has the value 2^-24. In a float from 0.5 to 1,
      // the last bit also has the value 2^-24. So adding 0.5 rounds the number to a multiple of 2^-24.
      const float aligned = std::bit_cast<float>(size) + 0.5f;
      return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(aligned) - 0x3f000000u));
    }
    const std::uint32_t odd = size >> 13 & 1;
    return static_cast<std::uint16_t>(sign | ((size - 0x38000000u + 0xfff + odd) >> 13));
  }
  static float cut(double x) {
    const auto near = static_cast<float>(x);
    if (static_cast<double>(near) == x || !std::isfinite(near)) return near;
    const bool beyond = std::abs(static_cast<double>(near)) > std::abs(x);
    const auto bits = std::bit_cast<std::uint32_t>(near) - (beyond ? 1 : 0);
    return std::bit_cast<float>(bits | 1);
  }

  std::uint16_t bits_ = 0;
};

// A Half that is stored as a float of the same value. The result of each operation is rounded to a Half, but
// is not packed into 16 bits. In a long series of operations, packing and unpacking would take most of the
// time.
class CarriedHalf {
 public:
  constexpr CarriedHalf(Half h) : x_(h) {}
  constexpr operator Half() const { return Half(x_); }

  friend constexpr CarriedHalf operator+(CarriedHalf a, CarriedHalf b) { return CarriedHalf(a.x_ + b.x_); }
  friend constexpr CarriedHalf operator*(CarriedHalf a, CarriedHalf b) { return CarriedHalf(a.x_ * b.x_); }
  friend constexpr bool operator<(CarriedHalf a, CarriedHalf b) { return a.x_ < b.x_; }

 private:
  constexpr explicit CarriedHalf(float x) : x_(rounded(x)) {}
  static constexpr float rounded(float x) {
    const auto all = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t size = all & 0x7fffffff, odd = all >> 13 & 1;
    if (size < 0x38800000 || size >= 0x477ff000) return Half(x);  // subnormal, infinite or NaN
    return std::bit_cast<float>((all + 0xfff + odd) & ~0x1fffu);
  }

  float x_;
};

}  // namespace upsweep

template <>
struct std::numeric_limits<upsweep::Half> : std::numeric_limits<float> {
  static constexpr int digits = 11, max_exponent = 16, min_exponent = -13;
  static constexpr upsweep::Half max() { return upsweep::Half::from_bits(0x7bff); }
  static constexpr upsweep::Half lowest() { return upsweep::Half::from_bits(0xfbff); }
  static constexpr upsweep::Half min() { return upsweep::Half::from_bits(0x0400); }
  static constexpr upsweep::Half denorm_min() { return upsweep::Half::from_bits(0x0001); }
  static constexpr upsweep::Half epsilon() { return upsweep::Half::from_bits(0x1400); }
  static constexpr upsweep::Half infinity() { return upsweep::Half::from_bits(0x7c00); }
};
