// Tests the conversion of elements to numbers and to text.
#include "trace/value.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include "base/half.hpp"

namespace upsweep {
namespace value_test {

Settings of(Scalar type, Operator op = Operator::sum) {
  Settings s;
  s.type = type;
  s.op = op;
  return s;
}
Value element(Scalar type, long double a, long double b = 0) {
  Value v{};
  set_scalar(v, type, 0, a);
  if (b != 0 || std::signbit(b)) set_scalar(v, type, 1, b);
  return v;
}
std::string exact(Scalar type, long double x) { return exact_text(element(type, x), of(type)); }
std::string brief(Scalar type, long double x, int room = 5) {
  return short_text(element(type, x), of(type), room);
}
std::string map(double a, double b, Scalar type = Scalar::float64) {
  return exact_text(element(type, a, b), of(type, Operator::affine));
}
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Value, ScalarsComeBackAsTheyWerePut) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const auto bits = random();
    const auto number = [](auto x) { return static_cast<long double>(x); };
    const long double numbers[] = {number(static_cast<std::int32_t>(bits)),
                                   number(static_cast<std::uint32_t>(bits)),
                                   number(std::bit_cast<float>(static_cast<std::uint32_t>(bits))),
                                   number(std::bit_cast<double>(bits)),
                                   number(Half::from_bits(static_cast<std::uint16_t>(bits))),
                                   number(static_cast<std::int64_t>(bits))};
    static_assert(std::size(numbers) == std::size(scalar_names));
    for (std::size_t t = 0; t < std::size(numbers); ++t) {
      if (std::isnan(numbers[t])) continue;
      const Scalar type = static_cast<Scalar>(t);
      Value v{};
      set_scalar(v, type, 1, numbers[t]);
      EXPECT_EQ(scalar(v, type, 1), numbers[t]);
      EXPECT_EQ(scalar(v, type, 0), 0) << "the neighbour stays";
    }
  }
}

TEST(Value, BitsAreLittleEndianWithTheRestZero) {
  EXPECT_EQ(element(Scalar::int32, -2), (Value{0xfffffffeu, 0, 0, 0}));
  EXPECT_EQ(element(Scalar::float32, 1), (Value{0x3f800000u, 0, 0, 0}));
  EXPECT_EQ(element(Scalar::float16, 1), (Value{0x3c00u, 0, 0, 0}));
  EXPECT_EQ(element(Scalar::float16, 1, -2), (Value{0xc0003c00u, 0, 0, 0}));
  EXPECT_EQ(element(Scalar::int64, -2, 3), (Value{0xfffffffeu, 0xffffffffu, 3, 0}));
  EXPECT_EQ(element(Scalar::float64, 1, -2), (Value{0, 0x3ff00000u, 0, 0xc0000000u}));
}

TEST(Value, ExactTextIsPlain) {
  EXPECT_EQ(exact(Scalar::int32, -2147483648.0), "-2147483648");
  EXPECT_EQ(exact(Scalar::uint32, 4294967295.0), "4294967295");
  EXPECT_EQ(exact(Scalar::int64, std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(exact(Scalar::int64, std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(exact(Scalar::float16, 0.1), "0.1");
  EXPECT_EQ(exact(Scalar::float16, 1.0 / 3), "0.3333");
  EXPECT_EQ(exact(Scalar::float16, 65504), "65504");
  EXPECT_EQ(exact(Scalar::float16, 0x1p-24), "6e-8");
  EXPECT_EQ(exact(Scalar::float16, -infinity), "-inf");
  EXPECT_EQ(exact(Scalar::float32, 7), "7");
  EXPECT_EQ(exact(Scalar::float32, 0.1), "0.1");
  EXPECT_EQ(exact(Scalar::float32, 100000), "100000");
  EXPECT_EQ(exact(Scalar::float32, 1e20), "1e20");
  EXPECT_EQ(exact(Scalar::float64, 1.5e-7), "1.5e-7");
  EXPECT_EQ(exact(Scalar::float64, -0.0), "-0");
  EXPECT_EQ(exact(Scalar::float64, 1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(exact(Scalar::float32, infinity), "inf");
  EXPECT_EQ(exact(Scalar::float64, -infinity), "-inf");
  EXPECT_EQ(exact(Scalar::float64, -std::nan("")), "nan");
}

TEST(Value, ExactTextReadsBackToTheSameBits) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const auto bits = random();
    const double d = std::bit_cast<double>(bits);
    const float f = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isfinite(d)) {
      const auto text = exact(Scalar::float64, d);
      double back = 0;
      EXPECT_EQ(std::from_chars(text.data(), text.data() + text.size(), back).ptr, text.data() + text.size());
      EXPECT_EQ(back, d) << text;
    }
    if (std::isfinite(f)) {
      const auto text = exact(Scalar::float32, f);
      float back = 0;
      EXPECT_EQ(std::from_chars(text.data(), text.data() + text.size(), back).ptr, text.data() + text.size());
      EXPECT_EQ(back, f) << text;
    }
  }
}

TEST(Value, ExactTextOfHalvesReadsBackAndIsTheShortest) {
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const Half h = Half::from_bits(static_cast<std::uint16_t>(bits));
    const auto text = exact(Scalar::float16, h);
    EXPECT_EQ(Half(std::stod(text)).bits(), bits) << text;
    EXPECT_LE(text.size(), 10u) << text;
  }
}

TEST(Value, Identities) {
  const auto text = [](Scalar type, Operator op) { return exact_text(identity(of(type, op)), of(type, op)); };
  EXPECT_EQ(text(Scalar::float16, Operator::min), "65504");
  EXPECT_EQ(text(Scalar::float16, Operator::max), "-65504");
  EXPECT_EQ(text(Scalar::int64, Operator::min), "9223372036854775807");
  EXPECT_EQ(text(Scalar::int64, Operator::max), "-9223372036854775808");
  for (int type = 0; type < static_cast<int>(std::size(scalar_names)); ++type) {
    EXPECT_EQ(text(static_cast<Scalar>(type), Operator::sum), "0");
    EXPECT_EQ(text(static_cast<Scalar>(type), Operator::product), "1");
    EXPECT_EQ(text(static_cast<Scalar>(type), Operator::affine), "x");
  }
}

TEST(Value, AffineMaps) {
  EXPECT_EQ(map(2, 3), "2x+3");
  EXPECT_EQ(map(1, 0), "x");
  EXPECT_EQ(map(-1, -4), "-x-4");
  EXPECT_EQ(map(1, 0.5), "x+0.5");
  EXPECT_EQ(map(0, 5), "5");
  EXPECT_EQ(map(0, 0), "0");
  EXPECT_EQ(map(-3, 0, Scalar::int32), "-3x");
  EXPECT_EQ(map(infinity, 1), "inf*x+1");
  EXPECT_EQ(short_text(element(Scalar::float32, 1.25, -13), of(Scalar::float32, Operator::affine), 6),
            "x-13");
  EXPECT_EQ(short_text(element(Scalar::float32, 1.25, -13), of(Scalar::float32, Operator::affine), 7),
            "1.2x-13");
  EXPECT_EQ(short_text(element(Scalar::float32, 2, 3), of(Scalar::float32, Operator::affine)), "2x+3");
}

TEST(Value, ShortTextFitsACell) {
  EXPECT_EQ(brief(Scalar::int32, 12345), "12345");
  EXPECT_EQ(brief(Scalar::int32, 123456), "1.2e5");
  EXPECT_EQ(brief(Scalar::int32, -2147483648.0, 6), "-2.1e9");
  EXPECT_EQ(brief(Scalar::int32, -2147483648.0), "-2e9");
  EXPECT_EQ(brief(Scalar::float32, 1.0 / 3), "0.333");
  EXPECT_EQ(brief(Scalar::float32, -1.0 / 3), "-0.33");
  EXPECT_EQ(brief(Scalar::float32, 99999.7), "1e5");
  EXPECT_EQ(brief(Scalar::float32, 12345.678), "12346");
  EXPECT_EQ(brief(Scalar::float64, 0.0001234), "1e-4");
  EXPECT_EQ(brief(Scalar::float64, 1e20), "1e20");
  EXPECT_EQ(brief(Scalar::float64, -infinity), "-inf");
  EXPECT_EQ(brief(Scalar::float32, 3.4028234e38), "3e38") << "the identity of min";
}

TEST(Value, ShortTextIsCloseAndFitsWheneverSixCharactersDo) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-9, 9), mantissa(1, 10);
  for (int i = 0; i < 20000; ++i) {
    const double x = (random() % 2 ? 1 : -1) * mantissa(random) * std::pow(10, std::floor(exponent(random)));
    for (const int room : {6, 7, 9, 12}) {
      const auto text = brief(Scalar::float64, x, room);
      ASSERT_LE(static_cast<int>(text.size()), room) << x;
      const double tolerance = room >= 9 ? 0.006 : 0.5;
      ASSERT_NEAR(std::stod(text) / x, 1, tolerance) << text << " for " << x;
    }
  }
}

}  // namespace value_test
}  // namespace upsweep
