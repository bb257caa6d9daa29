// Tests the oracle, which computes the correct results and decides how large rounding errors may be.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/messages.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace oracle_test {

constexpr Scalar types[] = {Scalar::int32,   Scalar::uint32,  Scalar::int64,
                            Scalar::float16, Scalar::float32, Scalar::float64};
constexpr Operator operators[] = {Operator::sum, Operator::product, Operator::min, Operator::max,
                                  Operator::affine};

Algorithm giving(const std::string& gives) {
  return parse_kernel(
      "test", "test.cuh",
      "// Title\n// Idea x\n// Gives " + gives +
          "\n// Elements any\n// Variants none\n// Steps 1\n// Operations n\n// Watch x\n// Source x\n"
          "__global__ void test(Global<const T> in, Global<T> out, int n) {}\n");
}

// Combines all values with the operator. The grouping is random, but the order of the values stays the same.
Value grouped(const Settings& s, std::span<const Value> input, std::mt19937& random) {
  if (input.size() == 1) return input[0];
  const std::size_t cut = 1 + random() % (input.size() - 1);
  return combination(s)(grouped(s, input.first(cut), random), grouped(s, input.subspan(cut), random));
}

std::string label(const Settings& s) { return std::string(name(s.op)) + " of " + std::string(name(s.type)); }

TEST(Oracle, AcceptsEveryOrderOfOperations) {
  const Algorithm reduction = giving("reduction");
  std::mt19937 random(5);
  for (const int n : {1, 2, 3, 100, 3000})
    for (const Scalar type : types)
      for (const Operator op : operators)
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
          const Settings s{.n = n, .type = type, .op = op};
          for (const auto& input : {random_data(s, seed), seeded_data(s, seed)}) {
            EXPECT_FALSE(check(reduction, s, input, std::vector<Value>{grouped(s, input, random)}))
                << label(s) << n;
            std::vector<Value> shuffled = input;
            if (op != Operator::affine) std::shuffle(shuffled.begin(), shuffled.end(), random);
            EXPECT_FALSE(check(reduction, s, input, std::vector<Value>{grouped(s, shuffled, random)}))
                << label(s) << n;
          }
        }
}

TEST(Oracle, ScansAreRunningReductions) {
  const Algorithm reduction = giving("reduction"), inclusive = giving("inclusive scan"),
                  exclusive = giving("exclusive scan"), either = giving("inclusive or exclusive scan"),
                  copy = giving("copy");
  for (const Scalar type : types)
    for (const Operator op : operators) {
      Settings s{.n = 50, .type = type, .op = op};
      const std::vector<Value> input = random_data(s, 2);
      const std::vector<Value> in = oracle(inclusive, s, input), ex = oracle(exclusive, s, input);
      ASSERT_EQ(in.size(), 50u);
      ASSERT_EQ(ex.size(), 50u);
      EXPECT_EQ(ex[0], identity(s));
      EXPECT_EQ(oracle(copy, s, input), input);
      EXPECT_EQ(oracle(either, s, input), in);
      s.choices["gives"] = "exclusive";
      EXPECT_EQ(oracle(either, s, input), ex);
      s.choices.clear();
      for (std::size_t i = 0; i < 50; ++i) {
        s.n = static_cast<int>(i) + 1;
        const std::vector<Value> front(input.begin(), input.begin() + s.n);
        EXPECT_EQ(in[i], oracle(reduction, s, front)[0]) << label(s);
        if (i + 1 < 50) { EXPECT_EQ(in[i], ex[i + 1]) << label(s); }
      }
    }
}

// For every kind of result, check() must accept the output of the oracle, and must reject an output that
// lacks an element. If nothing was rounded, check() must also reject an output with a wrong element.
TEST(Oracle, EveryKindOfResultIsCheckedByItsRow) {
  std::mt19937 random(8);
  for (const Result& r : results())
    for (const int n : {1, 2, 31, 1000})
      for (const Scalar type : types)
        for (const Operator op : operators) {
          const Settings s{.n = n, .type = type, .op = op};
          const std::vector<Value> input = seeded_data(s, random());
          std::vector<Value> output = oracle(r, s, input);
          ASSERT_LE(static_cast<int>(output.size()), r.size(s)) << r.name;
          EXPECT_FALSE(check(r, s, input, output)) << r.name << " " << label(s) << n;
          if (output.empty()) continue;
          const std::size_t i = random() % output.size();
          const Value right = output[i];
          output[i][0] ^= 1;
          const bool rounded = !r.moved && is_real(type) && n >= 3;
          EXPECT_TRUE(rounded || check(r, s, input, output).id == MessageId::wrong_element)
              << r.name << " " << label(s) << n;
          output[i] = right;
          output.pop_back();
          EXPECT_EQ(check(r, s, input, output).id, MessageId::other_number_of_elements) << r.name;
        }
}

// If every order of the operations gives the same bits, check() must find a single wrong bit, even in the
// largest arrays. check() must also find that an element was left out.
TEST(Oracle, SeesTheSmallestMistakeWhereNothingRounds) {
  const Algorithm reduction = giving("reduction");
  for (const int n : {3, 1000, 1 << 18})
    for (const Scalar type : types)
      for (const Operator op : {Operator::sum, Operator::product, Operator::affine}) {
        const Settings s{.n = n, .type = type, .op = op};
        const std::vector<Value> input = random_data(s, 4);  // all operations on this input are exact
        Value right = oracle(reduction, s, input)[0];
        ASSERT_FALSE(check(reduction, s, input, std::vector<Value>{right}));
        Value wrong = right;
        wrong[0] ^= 1;
        EXPECT_TRUE(check(reduction, s, input, std::vector<Value>{wrong})) << label(s) << n;
        if (op == Operator::product) continue;  // the element that is left out may be 1
        std::vector<Value> missing = input;
        std::size_t left_out = 0;
        while (input[left_out] == identity(s) || scalar(input[left_out], type, op == Operator::affine) == 0)
          ++left_out;
        missing[left_out] = identity(s);
        EXPECT_TRUE(check(reduction, s, input, oracle(reduction, s, missing))) << label(s) << n;
      }
}

// The bound for a rounding error is gamma_k * sum |x|; k is the number of operations (see
// catalogue/data.hpp). check() must accept an error of 0.9 times the bound, and must reject an error of 1.2
// times the bound.
TEST(Oracle, BoundsRoundingByTheNumberOfOperations) {
  const Algorithm inclusive = giving("inclusive scan");
  for (const Scalar type : {Scalar::float16, Scalar::float32, Scalar::float64}) {
    const Settings s{.n = 1000, .type = type};
    const std::vector<Value> input = random_data(s, 3);  // operations on this input are rounded
    std::vector<Value> output = oracle(inclusive, s, input);
    const double u = type == Scalar::float16 ? 0x1p-11 : type == Scalar::float32 ? 0x1p-24 : 0x1p-53;
    double size = 0;
    for (int i = 0; i <= 100; ++i)
      size += static_cast<double>(std::abs(scalar(input[static_cast<std::size_t>(i)], type)));
    const double right = static_cast<double>(scalar(output[100], type)), bound = 101 * u * size;
    set_scalar(output[100], type, 0, right + 0.9 * bound);
    EXPECT_FALSE(check(inclusive, s, input, output));
    set_scalar(output[100], type, 0, right + 1.2 * bound);
    EXPECT_TRUE(check(inclusive, s, input, output));
    set_scalar(output[100], type, 0, std::nan(""));
    EXPECT_TRUE(check(inclusive, s, input, output));
  }
}

TEST(Oracle, AnOverflowIsNobodysMistake) {
  const Algorithm inclusive = giving("inclusive scan");
  const Settings s{.n = 3};
  std::vector<Value> input(3), output(3);
  const double numbers[] = {3e38, 3e38, -3e38}, sequential[] = {3e38, INFINITY, INFINITY};
  for (std::size_t i = 0; i < 3; ++i) {
    set_scalar(input[i], s.type, 0, static_cast<float>(numbers[i]));
    set_scalar(output[i], s.type, 0, static_cast<float>(sequential[i]));
  }
  EXPECT_FALSE(check(inclusive, s, input, output));
  set_scalar(output[2], s.type, 0, static_cast<float>(3e38));  // the value of 3e38 + (3e38 - 3e38)
  EXPECT_FALSE(check(inclusive, s, input, output));
  set_scalar(output[0], s.type, 0, INFINITY);
  EXPECT_TRUE(check(inclusive, s, input, output));
}

// Returns positive and negative numbers whose absolute values span eight decades. In some orders, their sums
// and products leave the range of the type.
std::vector<Value> over_decades(const Settings& s, std::mt19937& random, double low = -4, double high = 4) {
  std::uniform_real_distribution<double> exponent(low, high);
  std::vector<Value> data(static_cast<std::size_t>(s.n));
  for (Value& v : data)
    for (int k = 0; k < scalars_per_element(s.op); ++k)
      set_scalar(v, s.type, k, (random() % 2 ? 1 : -1) * std::pow(10.0, exponent(random)));
  return data;
}

constexpr Scalar reals[] = {Scalar::float16, Scalar::float32, Scalar::float64};

TEST(Oracle, AcceptsWhatLeavesTheRangeInSomeOrder) {
  const Algorithm reduction = giving("reduction"), inclusive = giving("inclusive scan");
  std::mt19937 random(11);
  int not_finite = 0, subnormal = 0;
  for (const Scalar type : reals)
    for (const Operator op : operators)
      for (const int n : {1, 2, 7, 13, 33, 200, 1500})
        for (int run = 0; run < 12; ++run) {
          const Settings s{.n = n, .type = type, .op = op};
          // In two of three runs, the numbers are far from 1, and therefore nearly all products leave the
          // range of the type.
          const double shift = run % 3 == 0 ? 0 : run % 3 == 1 ? -3 : 3;
          const double high = type == Scalar::float16 ? std::min(4.0, 4 + shift) : 4 + shift;
          const std::vector<Value> input = over_decades(s, random, -4 + shift, high);
          std::vector<Value> shuffled = input;
          if (op != Operator::affine) std::shuffle(shuffled.begin(), shuffled.end(), random);
          for (const auto& order : {input, shuffled}) {
            const Value result = grouped(s, order, random);
            not_finite += !std::isfinite(scalar(result, type));
            const long double size = std::abs(scalar(result, type));
            subnormal += type == Scalar::float32 && size > 0 && size < 0x1p-126L;
            EXPECT_FALSE(check(reduction, s, input, std::vector<Value>{result}))
                << label(s) << " " << n << " " << exact_text(result, s) << " expected "
                << exact_text(oracle(reduction, s, input)[0], s);
          }
          std::vector<Value> scan(input.begin(), input.end());
          for (std::size_t i = 1; i < scan.size(); ++i)
            scan[i] = grouped(s, std::span(input).first(i + 1 < 40 ? i + 1 : 1), random);
          if (n <= 33) { EXPECT_FALSE(check(inclusive, s, input, scan)) << label(s) << " " << n; }
        }
  EXPECT_GT(not_finite, 100);
  EXPECT_GT(subnormal, 3);
}

// check() must reject a result whose error is a few times the rounding error. This applies to sums, and to
// products that stay within the range in every order.
TEST(Oracle, FindsAPerturbedElementOverEightDecades) {
  const Algorithm reduction = giving("reduction");
  std::mt19937 random(12);
  int judged = 0;
  for (const Scalar type : reals)
    for (const Operator op : {Operator::sum, Operator::product})
      for (const int n : {2, 5, 9, 30})
        for (int run = 0; run < 20; ++run) {
          const Settings s{.n = n, .type = type, .op = op};
          const std::vector<Value> input = over_decades(s, random);
          const long double u = type == Scalar::float16   ? 0x1p-11L
                                : type == Scalar::float32 ? 0x1p-24L
                                                          : 0x1p-53L;
          const long double most = type == Scalar::float16 ? 60000 : 1e35L,
                            least = type == Scalar::float16 ? 1e-4L : 1e-35L;
          long double exactly = op == Operator::sum ? 0 : 1, size = exactly, up = 1, down = 1;
          for (const Value& v : input) {
            const long double x = scalar(v, type), a = std::abs(x);
            exactly = op == Operator::sum ? exactly + x : exactly * x;
            size = op == Operator::sum ? size + a : size * a;
            (a > 1 ? up : down) *= a;
          }
          if (op == Operator::sum ? size > most : up > most || down < least) continue;
          Value wrong{};
          const long double distance = 4 * n * u * size;
          set_scalar(wrong, type, 0, exactly + (random() % 2 ? distance : -distance));
          if (scalar(wrong, type) == scalar(oracle(reduction, s, input)[0], type)) continue;
          EXPECT_TRUE(check(reduction, s, input, std::vector<Value>{wrong})) << label(s) << " " << n;
          ++judged;
        }
  EXPECT_GT(judged, 150);
}

// In this test, the exact product is smaller than the smallest positive number of the type. check() must
// accept zero and the smallest numbers of the type, and must reject all other numbers.
TEST(Oracle, KnowsGradualUnderflow) {
  const Algorithm reduction = giving("reduction"), inclusive = giving("inclusive scan");
  const Settings s{.n = 16, .op = Operator::product};
  std::vector<Value> input(16), output(16);
  for (Value& v : input) set_scalar(v, s.type, 0, 0.001f);
  Value result{};
  for (const float right : {0.f, 0x1p-149f, 8 * 0x1p-149f}) {
    set_scalar(result, s.type, 0, right);
    EXPECT_FALSE(check(reduction, s, input, std::vector<Value>{result})) << right;
  }
  for (const float wrong : {1e-30f, 1e-42f, -1e-38f, 1e-3f, 1.f}) {
    set_scalar(result, s.type, 0, wrong);
    EXPECT_TRUE(check(reduction, s, input, std::vector<Value>{result})) << wrong;
  }
  // The first 11 prefixes of a scan of these numbers are normal numbers (not subnormal), so check() must use
  // the usual bound for them.
  output = oracle(inclusive, s, input);
  EXPECT_FALSE(check(inclusive, s, input, output));
  for (std::size_t i = 0; i < 11; ++i) {
    std::vector<Value> changed = output;
    set_scalar(changed[i], s.type, 0, scalar(output[i], s.type) * 1.001L);
    const std::vector<WrongElement> wrong = all_wrong(*inclusive.results[0], s, input, changed);
    ASSERT_EQ(wrong.size(), 1u) << i;
    EXPECT_EQ(wrong[0].index, i);
    EXPECT_EQ(wrong[0].expected, output[i]);
    EXPECT_EQ(wrong[0].got, changed[i]);
  }
}

TEST(Oracle, KnowsWhatInfinitiesBecome) {
  const Algorithm reduction = giving("reduction");
  const auto verdict_on = [&](Operator op, Scalar type, std::vector<double> numbers, double result) {
    const int each = scalars_per_element(op);
    const Settings s{.n = static_cast<int>(numbers.size()) / each, .type = type, .op = op};
    std::vector<Value> input(static_cast<std::size_t>(s.n));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      set_scalar(input[i / static_cast<std::size_t>(each)], type, static_cast<int>(i) % each, numbers[i]);
    Value value{};
    set_scalar(value, type, 0, result);
    if (each == 2) set_scalar(value, type, 1, result);
    return static_cast<bool>(check(reduction, s, input, std::vector<Value>{value}));
  };
  for (const double right : std::initializer_list<double>{0, 1000, INFINITY, -INFINITY, NAN}) {
    // In some orders, 60,000 + 60,000 - 60,000 - 59,008 overflows to infinity or becomes inf - inf. Therefore
    // check() must also accept infinities and NaN.
    if (right != 0) {
      EXPECT_FALSE(
          verdict_on(Operator::sum, Scalar::float16, {6e4, 6e4, -6e4, -59008}, right == 1000 ? 992 : right));
    }
    // 30,000 * 30,000 * 0 is 0 in some orders, and inf * 0 in other orders. Therefore check() must accept 0,
    // infinities and NaN.
    if (right != 1000) { EXPECT_FALSE(verdict_on(Operator::product, Scalar::float16, {3e4, 3e4, 0}, right)); }
  }
  EXPECT_TRUE(verdict_on(Operator::sum, Scalar::float16, {2e4, 2e4, -2e4}, INFINITY));
  EXPECT_TRUE(verdict_on(Operator::product, Scalar::float32, {3e4, 3e4, 0}, NAN));
  EXPECT_TRUE(verdict_on(Operator::product, Scalar::float16, {2, 3, 0}, 1));
  EXPECT_FALSE(verdict_on(Operator::affine, Scalar::float16, {300, 1, 300, 1, 0, 0}, NAN));
  EXPECT_TRUE(verdict_on(Operator::affine, Scalar::float32, {300, 1, 300, 1, 0, 0}, NAN));
}

TEST(Oracle, RandomDataStaysInRangeInAnyOrder) {
  for (const int n : {1, 1000, (1 << 20) + 7})
    for (const Scalar type : {Scalar::float16, Scalar::float32, Scalar::float64})
      for (std::uint64_t seed = 0; seed < 2; ++seed) {
        const double range = type == Scalar::float16 ? 14 : 110;
        const Settings s{.n = n, .type = type, .op = Operator::product};
        double up = 0, down = 0;
        for (const Value& v : random_data(s, seed)) {
          const auto exponent = static_cast<double>(std::log2(std::abs(scalar(v, type))));
          (exponent > 0 ? up : down) += exponent;
        }
        EXPECT_LE(up, range);
        EXPECT_GE(down, -range);
      }
}

}  // namespace oracle_test
}  // namespace upsweep
