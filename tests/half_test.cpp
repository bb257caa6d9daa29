// Tests floating-point numbers of 16 bits.
#include "base/half.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace upsweep {
namespace half_test {

Half half(unsigned bits) { return Half::from_bits(static_cast<std::uint16_t>(bits)); }

// Returns the value of a half with these bits, computed from the definition.
double slow(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double significand = (exponent > 0 ? 1024 : 0) + static_cast<double>(bits & 1023);
  return std::ldexp(bits >> 15 ? -significand : significand, std::max(exponent, 1) - 25);
}

// Returns the bits of the half that is nearest to x. If two halves are equally near, returns the half whose
// last bit is 0. If |x| is at least 65,520, returns an infinity.
unsigned slow_nearest(double x) {
  const double size = std::abs(x);
  unsigned low = 0, high = 0x7c00;  // 0x7c00 is infinity, which stands for 65,536 here
  const auto value = [](unsigned bits) { return bits == 0x7c00 ? 65536 : slow(bits); };
  while (high - low > 1) (value((low + high) / 2) <= size ? low : high) = (low + high) / 2;
  const double below = size - value(low), above = value(high) - size;
  const unsigned nearest = size >= 65536 || below > above || (below == above && low % 2 == 1) ? high : low;
  return nearest | (std::signbit(x) ? 0x8000u : 0);
}

TEST(Half, IsWhatItsBitsSay) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const Half h = half(bits);
    EXPECT_EQ(h.bits(), bits);
    if ((bits & 0x7fff) > 0x7c00) {
      EXPECT_TRUE(std::isnan(static_cast<float>(h)));
      EXPECT_EQ(Half(static_cast<float>(h)).bits(), 0x7fff);
    } else if ((bits & 0x7fff) == 0x7c00) {
      EXPECT_EQ(static_cast<float>(h), bits >> 15 ? -INFINITY : INFINITY);
    } else {
      EXPECT_EQ(static_cast<float>(h), slow(bits));
      EXPECT_EQ(std::signbit(static_cast<float>(h)), bits >> 15 != 0);
      EXPECT_EQ(Half(static_cast<float>(h)).bits(), bits);
    }
  }
}

TEST(Half, RoundsToTheNearest) {
  std::mt19937_64 random(1);
  const auto expect = [](double x) {
    EXPECT_EQ(Half(x).bits(), slow_nearest(x)) << x;
    if (static_cast<float>(x) == x) { EXPECT_EQ(Half(static_cast<float>(x)).bits(), slow_nearest(x)) << x; }
  };
  for (int i = 0; i < 200000; ++i) {
    const auto bits = random();
    const double x = std::ldexp(static_cast<double>(bits >> 40), static_cast<int>(bits % 52) - 60);
    expect(bits >> 20 & 1 ? -x : x);
    const unsigned some = static_cast<unsigned>(bits >> 21) % 0x7bff;
    const double tie = (slow(some) + slow(some + 1)) / 2;
    expect(tie);
    expect(std::nextafter(tie, 0));  // the result would be wrong if x were first rounded to a float
    expect(std::nextafter(tie, INFINITY));
  }
  for (const double x : {0., 65504., 65519.99, 65520., 1e300, 1e-300, 0x1p-24, 0x1p-25, 0x1.8p-25}) expect(x);
}

TEST(Half, SumsAndProductsRoundOnce) {
  std::mt19937 random(2);
  for (int i = 0; i < 300000; ++i) {
    const unsigned a = random() % 0xfc00, b = random() % 0xfc00;
    if ((a & 0x7fff) >= 0x7c00 || (b & 0x7fff) >= 0x7c00) continue;
    // A double can hold the sum and the product without rounding.
    const double sum = slow(a) + slow(b), product = slow(a) * slow(b);
    EXPECT_EQ((half(a) + half(b)).bits(), slow_nearest(sum)) << slow(a) << " + " << slow(b);
    EXPECT_EQ((half(a) * half(b)).bits(), slow_nearest(product)) << slow(a) << " * " << slow(b);
    EXPECT_EQ(half(a) < half(b), slow(a) < slow(b));
  }
  const Half infinity = std::numeric_limits<Half>::infinity();
  EXPECT_EQ((std::numeric_limits<Half>::max() + std::numeric_limits<Half>::max()).bits(), infinity.bits());
  EXPECT_EQ((infinity + half(0xfc00)).bits(), 0x7fff) << "as on a GPU";
}

TEST(Half, CarriedOnItIsTheSame) {
  const auto same = [](auto op, Half a, Half b, Half c) {
    const Half due = op(op(a, b), c), carried = op(op(CarriedHalf(a), CarriedHalf(b)), CarriedHalf(c));
    EXPECT_EQ(carried.bits(), due.bits()) << a << " " << b << " " << c;
  };
  std::mt19937 random(3);
  for (unsigned bits = 0; bits < 65536; ++bits) {
    EXPECT_EQ(Half(CarriedHalf(half(bits))).bits(), Half(float(half(bits))).bits());
    const auto some = [&] { return half(static_cast<unsigned>(random()) & 0xffff); };
    for (int i = 0; i < 4; ++i) {
      const Half a = half(bits), b = some(), c = some();
      same(std::plus(), a, b, c);
      same(std::plus(), a, half(a.bits() ^ (random() & 0x83ff)), c);  // both operands have the same exponent
      same(std::multiplies(), a, b, c);
      EXPECT_EQ(CarriedHalf(a) < CarriedHalf(b), a < b);
    }
  }
}

// If an operand is a subnormal float, a CPU may need a hundred clock cycles for the operation. Nevertheless,
// operations on subnormal halves must take less than three times as long as operations on other halves.
TEST(Half, SubnormalOnesTakeNoLonger) {
  const auto seconds = [](unsigned bits) {
    std::vector<Half> data(20000, half(bits));
    double least = 1;
    for (int repeat = 0; repeat < 50; ++repeat) {
      const auto begin = std::chrono::steady_clock::now();
      float sum = 0;
      for (const Half& h : data) sum += h;
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      EXPECT_GT(sum, 0);
      least = std::min(least, took.count());
    }
    return least;
  };
  EXPECT_LT(seconds(3), 3 * seconds(0x3c00));
}

}  // namespace half_test
}  // namespace upsweep
