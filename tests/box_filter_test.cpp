// Tests box filters, depth of field, and the rounding errors of summed-area tables. Compares each result with
// a loop over every pixel.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/area_table.hpp"
#include "analysis/depth_of_field.hpp"
#include "analysis/table_error.hpp"

namespace upsweep {
namespace box_filter_test {

Picture random_picture(std::mt19937& random, int rows, int columns, int channels) {
  Picture picture = black_picture(rows, columns, channels);
  for (std::uint8_t& value : picture.values) value = static_cast<std::uint8_t>(random());
  return picture;
}

// Returns the sum of one channel over the pixels of a box.
std::uint64_t added_up(const Picture& picture, const AreaBox& box, int channel) {
  std::uint64_t sum = 0;
  for (int row = box.top; row <= box.bottom; ++row)
    for (int column = box.left; column <= box.right; ++column)
      sum += picture.values[picture.at(row, column) + channel];
  return sum;
}

// Returns the picture after a box filter, which replaces each pixel by the mean of a box around the pixel.
// The box extends reach(pixel) pixels to each side of the pixel.
template <class Reach>
Picture filtered(const Picture& picture, const Reach& reach) {
  Picture result = picture;
  for (int row = 0; row < picture.rows; ++row)
    for (int column = 0; column < picture.columns; ++column)
      for (int k = 0; k < picture.channels; ++k) {
        const int far = reach(row * picture.columns + column);
        const AreaBox box{std::max(row - far, 0), std::max(column - far, 0),
                          std::min(row + far, picture.rows - 1), std::min(column + far, picture.columns - 1)};
        result.values[result.at(row, column) + k] = static_cast<std::uint8_t>(std::floor(
            static_cast<double>(added_up(picture, box, k)) / static_cast<double>(box.pixels()) + 0.5));
      }
  return result;
}

constexpr std::pair<int, int> shapes[] = {{1, 1}, {1, 2},  {2, 1},   {1, 97}, {89, 1},
                                          {2, 2}, {13, 7}, {31, 37}, {64, 32}};

TEST(BoxFilter, GivesTheMeanOfEveryBox) {
  std::mt19937 random(1);
  for (const auto& [rows, columns] : shapes)
    for (const int channels : {1, 3})
      for (const std::int64_t width : {std::int64_t{1}, std::int64_t{3}, std::int64_t{5}, std::int64_t{31},
                                       std::int64_t{99}, std::int64_t{201}, INT64_MAX}) {
        const Picture picture = random_picture(random, rows, columns, channels);
        Picture result = picture;
        box_filter(result, width);
        const int reach = static_cast<int>(std::min<std::int64_t>(width / 2, 1000));
        ASSERT_EQ(result, filtered(picture, [=](int) { return reach; }))
            << rows << " x " << columns << ", width " << width;
        EXPECT_EQ(width == 1, width == 1 && result == picture);
      }
}

TEST(BoxFilter, RoundsHalfUp) {
  Picture picture{1, 4, 1, {0, 1, 2, 3}};  // the means at both ends are 0.5 and 2.5
  box_filter(picture, 3);
  EXPECT_EQ(picture.values, (std::vector<std::uint8_t>{1, 1, 2, 3}));
}

TEST(AreaTable, TheSumOfEveryBoxIsExact) {
  std::mt19937 random(2);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (const auto& [rows, columns] : shapes) {
    const Picture picture = random_picture(random, rows, columns, 3);
    const AreaTable all(picture, 0, 3), blue(picture, 2, 1);
    for (int i = 0; i < 200; ++i) {
      AreaBox box{below(rows), below(columns), 0, 0};
      box.bottom = box.top + below(rows - box.top);
      box.right = box.left + below(columns - box.left);
      for (int k = 0; k < 3; ++k) ASSERT_EQ(all.sum(box, k), added_up(picture, box, k));
      ASSERT_EQ(blue.sum(box, 0), added_up(picture, box, 2));
    }
  }
}

// The sums in the table wrap around at 2^32, that is, after 16,843,009 white pixels. The sum of a box must be
// exact, even if the box has more white pixels.
TEST(AreaTable, BoxesAreExactBeyondTheTablesRange) {
  for (const auto& [rows, columns] : {std::pair(1, 18'000'003), {4099, 4201}}) {
    Picture white = black_picture(rows, columns, 1);
    std::fill(white.values.begin(), white.values.end(), 255);
    const AreaTable table(white, 0, 1);
    const AreaBox all{0, 0, rows - 1, columns - 1}, end{rows - 1, columns - 4, rows - 1, columns - 1},
        some{rows / 2, 3, rows - 1, columns - 2};
    ASSERT_GT(all.pixels() * 255, std::int64_t{1} << 32);
    for (const AreaBox& box : {all, end, some}) {
      EXPECT_EQ(table.sum(box, 0), static_cast<std::uint64_t>(box.pixels()) * 255);
      EXPECT_EQ(table.mean(box, 0), 255);
    }
  }
  // The sum of most_pixels_at_once white pixels, plus half this number for rounding, must fit into 32 bits.
  // The largest box of a lens must have at most this many pixels.
  EXPECT_LT(most_pixels_at_once * 255 + most_pixels_at_once / 2, std::int64_t{1} << 32);
  EXPECT_LE((AreaBox{0, 0, 2 * largest_reach, 2 * largest_reach}).pixels(), most_pixels_at_once);
  EXPECT_EQ(lens_for(INT32_MAX, 3).most_reach, largest_reach);
}

TEST(BoxSum, BoxesAreCutAtTheBorders) {
  EXPECT_EQ(box_around(0, 0, 2, 10, 10), (AreaBox{0, 0, 2, 2}));
  EXPECT_EQ(box_around(9, 5, 2, 10, 10), (AreaBox{7, 3, 9, 7}));
  EXPECT_EQ(box_around(5, 5, INT32_MAX, 10, 20), (AreaBox{0, 0, 9, 19}));
  const AreaBox box{3, 0, 4, 5};
  const auto four = corners(box, [](int row, int column) { return row * 10 + column; });
  EXPECT_EQ(four.a, 0);
  EXPECT_EQ(four.b, 25);
  EXPECT_EQ(four.c, 0);
  EXPECT_EQ(four.d, 45);
  EXPECT_EQ(four.sum(), 20);
}

TEST(DepthOfField, IsTheMeanOfABoxAsWideAsTheDepthSays) {
  std::mt19937 random(3);
  for (const auto& [rows, columns] : shapes)
    for (const int channels : {1, 3}) {
      const Picture picture = random_picture(random, rows, columns, channels);
      std::vector<float> depth;
      for (int i = 0; i < rows * columns; ++i) depth.push_back(static_cast<float>(random() % 1000) / 100);
      const DepthOfField field(picture, depth);
      for (const float focus : {0.f, 4.5f, 20.f}) {
        const Lens lens{focus, 1.5f, 7};
        EXPECT_EQ(field.seen_through(lens), filtered(picture, [&](int pixel) {
                    return std::min(static_cast<int>(std::floor(1.5 * std::abs(depth[pixel] - focus) + 0.5)),
                                    7);
                  }));
      }
      EXPECT_EQ(field.seen_through({.focus = 3, .blur = 0}), picture) << "a pinhole blurs nothing";
    }
}

TEST(DepthOfField, TheFocusIsSharpAndTheRestIsNot) {
  const Lens lens = lens_for(320, 4.5f);
  EXPECT_EQ(reach_of(lens, 4.5f), 0);
  EXPECT_GT(reach_of(lens, 3.5f), 2);
  EXPECT_GT(reach_of(lens, 9), reach_of(lens, 6));
  EXPECT_EQ(reach_of(lens, 1e30f), lens.most_reach);
  EXPECT_EQ(reach_of(lens, INFINITY), lens.most_reach);
  EXPECT_EQ(reach_of(lens, NAN), lens.most_reach);
}

// Returns the summed-area table of the numbers. The sums are computed in long double.
std::vector<double> table_by_loops(const std::vector<double>& numbers, int columns) {
  std::vector<double> table;
  for (int i = 0; i < std::ssize(numbers); ++i) {
    long double sum = 0;
    for (int j = 0; j <= i; ++j)
      if (j % columns <= i % columns) sum += numbers[static_cast<std::size_t>(j)];
    table.push_back(static_cast<double>(sum));
  }
  return table;
}

TEST(TableError, TheExactTableIsExact) {
  std::mt19937 random(4);
  for (const auto& [rows, columns] : shapes) {
    std::vector<double> numbers;
    for (int i = 0; i < rows * columns; ++i) numbers.push_back(static_cast<double>(random() % 2001) - 1000);
    EXPECT_EQ(exact_table(numbers, columns), table_by_loops(numbers, columns));
    const std::vector<double> zero(numbers.size());
    EXPECT_EQ(errors_of(exact_table(numbers, columns), numbers, columns), zero);
    std::vector<double> wrong = exact_table(numbers, columns);
    wrong.back() += 3;
    EXPECT_EQ(errors_of(wrong, numbers, columns).back(), 3);
    EXPECT_EQ(largest_error(errors_of(wrong, numbers, columns)), 3);
  }
}

TEST(TableError, CentringAndIntegersHelp) {
  std::mt19937 random(5);
  const int rows = 700, columns = 900;
  std::vector<double> numbers;
  for (int i = 0; i < rows * columns; ++i) numbers.push_back(200 + static_cast<double>(random() % 50));
  const double plain = largest_error(table_errors(numbers, columns, TableNumbers::float32)),
               centred = largest_error(table_errors(numbers, columns, TableNumbers::centred));
  EXPECT_GT(plain, 4) << "above 2^26, float32 has only multiples of 8";
  EXPECT_LT(centred, plain / 20);
  EXPECT_EQ(largest_error(table_errors(numbers, columns, TableNumbers::integers)), 0);
  // Sums of few whole numbers have no rounding error in float32.
  const std::span few(numbers.data(), 900);
  EXPECT_EQ(largest_error(table_errors(few, 30, TableNumbers::float32)), 0);
  // Sums of integers wrap around at 2^32.
  const std::vector<double> large(10, 1e9);
  const std::vector<double> errors = table_errors(large, 10, TableNumbers::integers);
  EXPECT_EQ(errors[3], 0);
  EXPECT_EQ(errors[4], -0x1p32);
  EXPECT_EQ(errors[9], -2 * 0x1p32);
}

}  // namespace box_filter_test
}  // namespace upsweep
