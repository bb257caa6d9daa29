// Compares every algorithm for linear recurrences with a loop that computes the elements of y one after
// another.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "catalogue/ladder.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/compile_cases.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace linear_recurrence_test {

// Runs every algorithm for linear recurrences on the emulator, with every choice. Calls f(settings, y) after
// each run; y is the output.
template <class F>
void for_each_rung(int n, int block, Scalar type, const std::vector<Value>& input, F f) {
  Emulator emulator;
  for (const Algorithm* a : rungs_of("linear_recurrence"))
    for (Settings s : every_choice(*a)) {
      if (!a->allows(type)) continue;
      s.n = n;
      s.block = block;
      s.grid = 3;
      s.type = type;
      SCOPED_TRACE(describe(s));
      const std::vector<Value> y = emulator.run(s, input);
      ASSERT_EQ(y.size(), static_cast<std::size_t>(n));
      f(s, y);
    }
}

constexpr int sizes[] = {1, 2, 3, 31, 32, 33, 127, 128, 129, 500, 1024, 4099};

TEST(LinearRecurrence, OfIntegersIsExact) {
  std::mt19937 random(1);
  for (const int n : sizes)
    for (const Scalar type : {Scalar::int32, Scalar::uint32}) {
      std::vector<Value> input(static_cast<std::size_t>(n));
      std::vector<std::uint32_t> due;
      std::uint32_t y = 0;
      for (Value& v : input) {
        v[0] = static_cast<std::uint32_t>(random());
        v[1] = static_cast<std::uint32_t>(random());
        y = v[0] * y + v[1];
        due.push_back(y);
      }
      for_each_rung(n, 64, type, input, [&](const Settings&, const std::vector<Value>& out) {
        for (std::size_t i = 0; i < due.size(); ++i) ASSERT_EQ(out[i][0], due[i]) << i;
      });
    }
}

// Because |a| < 1, each rounding error has less and less influence. Therefore the result must have only a
// small error.
TEST(LinearRecurrence, OfFloatsRoundsLittle) {
  std::mt19937 random(2);
  for (const int n : sizes)
    for (const Scalar type : {Scalar::float32, Scalar::float64}) {
      std::vector<Value> input(static_cast<std::size_t>(n));
      std::vector<double> due;
      double y = 0;
      for (Value& v : input) {
        const auto a = static_cast<float>(random() % 1900) / 1000 - 0.95f,
                   b = static_cast<float>(random() % 2000) / 1000 - 1;
        set_scalar(v, type, 0, a);
        set_scalar(v, type, 1, b);
        y = static_cast<double>(a) * y + static_cast<double>(b);
        due.push_back(y);
      }
      for_each_rung(n, 96, type, input, [&](const Settings& s, const std::vector<Value>& out) {
        for (std::size_t i = 0; i < due.size(); ++i)
          ASSERT_NEAR(static_cast<double>(scalar(out[i], s.type)), due[i], 1e-5) << i;
      });
    }
}

// At each element with a = 0, the running total starts again. No sum may contain elements before such an
// element.
TEST(LinearRecurrence, ForgetsEverythingBeforeAZero) {
  const int n = 1000;
  std::mt19937 random(3);
  std::vector<Value> input(n);
  std::vector<float> due;
  float total = 0;
  for (Value& v : input) {
    const bool starts = random() % 50 == 0;
    const auto x = static_cast<float>(random() % 10);
    set_scalar(v, Scalar::float32, 0, starts ? 0 : 1);
    set_scalar(v, Scalar::float32, 1, x);
    total = starts ? x : total + x;
    due.push_back(total);
  }
  for_each_rung(n, 32, Scalar::float32, input, [&](const Settings&, const std::vector<Value>& out) {
    for (std::size_t i = 0; i < due.size(); ++i) ASSERT_EQ(scalar(out[i], Scalar::float32), due[i]) << i;
  });
}

// With 32 threads and 2 rows, a tile has 256 elements. Therefore this run has many tiles and many groups of
// tiles.
TEST(LinearRecurrence, LooksBackOverManyTiles) {
  const int n = 256 * 200 + 77;
  std::mt19937 random(4);
  std::vector<Value> input(n);
  std::vector<std::uint32_t> due;
  std::uint32_t y = 0;
  for (Value& v : input) {
    v[0] = static_cast<std::uint32_t>(random()) | 1;
    v[1] = static_cast<std::uint32_t>(random());
    y = v[0] * y + v[1];
    due.push_back(y);
  }
  Settings s{.algorithm = "linear_recurrence_look_back", .n = n, .block = 32, .type = Scalar::uint32};
  s.op = Operator::affine;
  const std::vector<Value> out = Emulator().run(s, input);
  for (std::size_t i = 0; i < due.size(); ++i) ASSERT_EQ(out[i][0], due[i]) << i;
}

}  // namespace linear_recurrence_test
}  // namespace upsweep
