// Compares every algorithm for summed-area tables with a simple loop.
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analysis/coalescing.hpp"
#include "base/error.hpp"
#include "catalogue/inputs.hpp"
#include "catalogue/ladder.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/compile_cases.hpp"
#include "support/sentence.hpp"
#include "support/value_of.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
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

// Computes the summed-area table of pixels. The numbers of a pixel are adjacent in memory.
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

// Calls f(settings) for every algorithm for summed-area tables and every combination of its choices. The
// pixels of all these runs have `channels` channels.
template <class F>
void for_each_rung(Shape shape, int channels, int block, Scalar type, F f) {
  for (const Algorithm* a : rungs_of("summed_area_table"))
    for (Settings s : every_choice(*a)) {
      const auto choices = s.choices;
      s = settings(a->name, shape, channels, block, type);
      if (choices.at("channels") != s.choices.at("channels")) continue;
      s.choices = choices;
      if (!allowed(s, *a)) continue;
      SCOPED_TRACE(describe(s));
      f(s);
    }
}

constexpr Shape shapes[] = {{1, 1}, {1, 2}, {1, 97}, {97, 1}, {2, 2}, {7, 13}, {31, 33}, {3, 521}, {131, 3}};

// Random pixels of 32 bits or of one byte. `numbers` and `input` contain the same pixels.
struct Pixels {
  Pixels(std::mt19937& random, std::size_t count, bool bytes) {
    for (std::size_t i = 0; i < count; ++i) {
      numbers.push_back(static_cast<std::uint32_t>(random()) & (bytes ? 0xff : ~0u));
      input.push_back({numbers.back()});
    }
  }
  std::vector<std::uint32_t> numbers;
  std::vector<Value> input;
};

TEST(SummedAreaTable, OfIntegersIsExact) {
  std::mt19937 random(1);
  Emulator emulator;
  int of_bytes = 0;
  for (const Shape shape : shapes)
    for (const int channels : {1, 3}) {
      const auto count = static_cast<std::size_t>(shape.rows * shape.columns * channels);
      const Pixels wide(random, count, false), narrow(random, count, true);
      for_each_rung(shape, channels, 64, Scalar::uint32, [&](const Settings& s) {
        const Pixels& pixels = pixels_are_bytes(s) ? narrow : wide;
        of_bytes += pixels_are_bytes(s);
        const std::vector<std::uint32_t> due = table(pixels.numbers, shape, channels);
        const std::vector<Value> out = emulator.run(s, pixels.input);
        ASSERT_EQ(out.size(), due.size());
        for (std::size_t i = 0; i < due.size(); ++i) ASSERT_EQ(out[i][0], due[i]) << i;
      });
    }
  EXPECT_GT(of_bytes, 0);
}

// Returns the bytes and the sectors of all loads from the input.
std::pair<std::uint64_t, std::uint64_t> moved(const Trace& trace) {
  std::uint64_t bytes = 0, sectors = 0;
  for (const Event& e : trace.events) {
    if (e.kind != Kind::global_load || e.buffer != 0) continue;
    bytes += static_cast<std::uint64_t>(std::popcount(e.mask)) * e.width;
    sectors += static_cast<std::uint64_t>(sector_cost(trace, e).sectors);
  }
  return {bytes, sectors};
}

// With 32 threads and warp_rows 4, a tile has 4 rows and 128 columns. The first picture has only whole tiles,
// whose pixels are loaded in packs. In the second picture, each pixel is loaded alone.
TEST(SummedAreaTable, OfBytesLoadsAQuarterAndIsTheSameTable) {
  std::mt19937 random(5);
  Emulator emulator;
  for (const Shape shape : {Shape{8, 256}, Shape{5, 131}})
    for (const int channels : {1, 3}) {
      const Pixels pixels(random, static_cast<std::size_t>(shape.rows * shape.columns * channels), true);
      Settings s = settings("summed_area_table_single_pass", shape, channels, 32, Scalar::int32);
      const Trace wide = emulator.record(s, pixels.input, {.blocks = UINT32_MAX});
      s.choose("pixels", "bytes");
      const Trace narrow = emulator.record(s, pixels.input, {.blocks = UINT32_MAX});
      EXPECT_EQ(contradiction(narrow), Message());
      EXPECT_EQ(narrow.buffers[0].cells, Cells::pixels);
      EXPECT_EQ(narrow.output, wide.output);
      EXPECT_EQ(narrow.span, wide.span);
      EXPECT_EQ(narrow.events.size(), wide.events.size());
      const auto [bytes, sectors] = moved(narrow);
      EXPECT_EQ(bytes, pixels.input.size());
      EXPECT_EQ(moved(wide).first, 4 * bytes);
      EXPECT_LT(2 * sectors, moved(wide).second);
      if (shape.rows == 8 && channels == 1) EXPECT_EQ(4 * sectors, moved(wide).second);
      EXPECT_EQ(narrow.values, wide.values) << "a load makes an element of each pixel";
      EXPECT_EQ(unpack(pack(narrow), "narrow"), narrow);
    }
}

TEST(SummedAreaTable, OfBytesRefusesOtherNumbersAndTypes) {
  Settings s = settings("summed_area_table_single_pass", {1, 2}, 1, 32, Scalar::int32);
  s.choose("pixels", "bytes");
  const Algorithm& a = algorithm(s.algorithm);
  const auto refused = [&](std::int32_t x) {
    return sentence<RequestError>([&] { expect_input(a, s, values_of<std::int32_t>({7, x})); });
  };
  EXPECT_EQ(refused(0), "");
  EXPECT_EQ(refused(255), "");
  EXPECT_EQ(
      refused(256),
      "in[1] is 256, but a pixel of one byte holds 0 to 255: change the number, or give pixels=elements.");
  EXPECT_NE(refused(-1), "");
  s.type = Scalar::float32;
  EXPECT_EQ(sentence<RequestError>([&] { validate(s); }),
            "The choice pixels of summed_area_table_single_pass has the option bytes only for the types "
            "int32, uint32, not for float32.");
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

// With 32 threads and warp_rows 4, a tile has 4 rows and 128 columns. Therefore these pictures have several
// groups of tiles in one direction or in both directions.
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
