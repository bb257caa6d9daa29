// Compares every rung of summed_area_table with a simple loop.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "catalogue/ladder.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/compile_cases.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace summed_area_table_test {

struct Shape {
  int rows, columns;
};

Settings settings(const std::string& algorithm, Shape shape, int channels, int block, Scalar type) {
  Settings s{.algorithm = algorithm, .n = shape.rows * shape.columns, .block = block, .type = type};
  s.columns = shape.columns;
  s.choices["channels"] = std::to_string(channels);
  return s;
}

// Returns the summed-area table of pixels. The numbers of a pixel are neighbours.
template <class N>
std::vector<N> table(std::vector<N> pixels, Shape shape, int channels) {
  const auto at = [&](int row, int column, int c) -> N& {
    return pixels[static_cast<std::size_t>((row * shape.columns + column) * channels + c)];
  };
  for (int c = 0; c < channels; ++c)
    for (int row = 0; row < shape.rows; ++row) {
      N sum{};
      for (int column = 0; column < shape.columns; ++column) {
        sum += at(row, column, c);
        at(row, column, c) = row == 0 ? sum : sum + at(row - 1, column, c);
      }
    }
  return pixels;
}

// Calls f for every rung with every choice that has these channels.
template <class F>
void for_each_rung(Shape shape, int channels, int block, Scalar type, F f) {
  for (const Algorithm* a : rungs_of("summed_area_table"))
    for (Settings s : every_choice(*a)) {
      const auto choices = s.choices;
      s = settings(a->name, shape, channels, block, type);
      if (choices.at("channels") != s.choices.at("channels")) continue;
      s.choices = choices;
      SCOPED_TRACE(describe(s));
      f(s);
    }
}

constexpr Shape shapes[] = {{1, 1}, {1, 2}, {1, 97}, {97, 1}, {2, 2}, {7, 13}, {31, 33}, {3, 521}, {131, 3}};

TEST(SummedAreaTable, OfIntegersIsExact) {
  std::mt19937 random(1);
  Emulator emulator;
  for (const Shape shape : shapes)
    for (const int channels : {1, 3}) {
      std::vector<std::uint32_t> pixels(static_cast<std::size_t>(shape.rows * shape.columns * channels));
      std::vector<Value> input;
      for (std::uint32_t& x : pixels) {
        x = static_cast<std::uint32_t>(random());
        input.push_back({x});
      }
      const std::vector<std::uint32_t> due = table(pixels, shape, channels);
      for_each_rung(shape, channels, 64, Scalar::uint32, [&](const Settings& s) {
        const std::vector<Value> out = emulator.run(s, input);
        ASSERT_EQ(out.size(), due.size());
        for (std::size_t i = 0; i < due.size(); ++i) ASSERT_EQ(out[i][0], due[i]) << i;
      });
    }
}

TEST(SummedAreaTable, OfFloatsRoundsLittle) {
  std::mt19937 random(2);
  Emulator emulator;
  for (const Scalar type : {Scalar::float32, Scalar::float64})
    for (const Shape shape : {Shape{37, 300}, Shape{300, 37}}) {
      std::vector<double> pixels(static_cast<std::size_t>(shape.rows * shape.columns));
      std::vector<Value> input;
      double size = 0;
      for (double& x : pixels) {
        x = static_cast<float>(random() % 100003) / 1009;
        size += x;
        input.emplace_back();
        set_scalar(input.back(), type, 0, static_cast<long double>(x));
      }
      const std::vector<double> due = table(pixels, shape, 1);
      const double allowed =
          size * (shape.rows + shape.columns) * (type == Scalar::float32 ? 0x1p-24 : 0x1p-53);
      for_each_rung(shape, 1, 64, type, [&](const Settings& s) {
        const std::vector<Value> out = emulator.run(s, input);
        for (std::size_t i = 0; i < due.size(); ++i)
          ASSERT_NEAR(static_cast<double>(scalar(out[i], type)), due[i], allowed) << i;
      });
    }
}

// With 32 threads and warp_rows 4, a tile has 4 rows and 128 columns. So these pictures have several groups
// of tiles in one direction or in both.
TEST(SummedAreaTable, LooksBackOverManyTiles) {
  std::mt19937 random(3);
  Emulator emulator;
  for (const Shape shape : {Shape{39, 1601}, Shape{21, 1664}, Shape{3, 3000}, Shape{61, 5}})
    for (const int channels : {1, 3}) {
      std::vector<std::uint32_t> pixels(static_cast<std::size_t>(shape.rows * shape.columns * channels));
      std::vector<Value> input;
      for (std::uint32_t& x : pixels) {
        x = static_cast<std::uint32_t>(random());
        input.push_back({x});
      }
      const std::vector<std::uint32_t> due = table(pixels, shape, channels);
      const Settings s = settings("summed_area_table_single_pass", shape, channels, 32, Scalar::uint32);
      const std::vector<Value> out = emulator.run(s, input);
      for (std::size_t i = 0; i < due.size(); ++i) ASSERT_EQ(out[i][0], due[i]) << i;
    }
}

}  // namespace summed_area_table_test
}  // namespace upsweep
