// The oracle: the right results, and how much floats may differ from them.
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

// Applies the operator to all values, grouped at random, without changing their order.
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
            EXPECT_FALSE(check(reduction, s, input, {grouped(s, input, random)})) << label(s) << n;
            std::vector<Value> shuffled = input;
            if (op != Operator::affine) std::shuffle(shuffled.begin(), shuffled.end(), random);
            EXPECT_FALSE(check(reduction, s, input, {grouped(s, shuffled, random)})) << label(s) << n;
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

// Every row of the table accepts its own oracle's result. It accepts no result that lacks an element or has a
// wrong one.
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

// Where every order gives the same bits, the check detects one wrong bit, also in the largest arrays. It also
// detects an element that was left out or counted twice.
TEST(Oracle, SeesTheSmallestMistakeWhereNothingRounds) {
  const Algorithm reduction = giving("reduction");
  for (const int n : {3, 1000, 1 << 18})
    for (const Scalar type : types)
      for (const Operator op : {Operator::sum, Operator::product, Operator::affine}) {
        const Settings s{.n = n, .type = type, .op = op};
        const std::vector<Value> input = random_data(s, 4);  // an exact one
        Value right = oracle(reduction, s, input)[0];
        ASSERT_FALSE(check(reduction, s, input, {right}));
        Value wrong = right;
        wrong[0] ^= 1;
        EXPECT_TRUE(check(reduction, s, input, {wrong})) << label(s) << n;
        if (op == Operator::product) continue;  // a factor may be 1
        std::vector<Value> missing = input;
        std::size_t left_out = 0;
        while (input[left_out] == identity(s) || scalar(input[left_out], type, op == Operator::affine) == 0)
          ++left_out;
        missing[left_out] = identity(s);
        EXPECT_TRUE(check(reduction, s, input, oracle(reduction, s, missing))) << label(s) << n;
      }
}

// The bound gamma_k * sum |x| is tight enough to detect one wrong element among a thousand.
TEST(Oracle, BoundsRoundingByTheNumberOfOperations) {
  const Algorithm inclusive = giving("inclusive scan");
  for (const Scalar type : {Scalar::float16, Scalar::float32, Scalar::float64}) {
    const Settings s{.n = 1000, .type = type};
    const std::vector<Value> input = random_data(s, 3);  // one that rounds
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
  set_scalar(output[2], s.type, 0, static_cast<float>(3e38));  // 3e38 + (3e38 - 3e38)
  EXPECT_FALSE(check(inclusive, s, input, output));
  set_scalar(output[0], s.type, 0, INFINITY);
  EXPECT_TRUE(check(inclusive, s, input, output));
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
