// Computes the sum of a box of numbers from four cells of a summed-area table. A cell (row, column) of the
// table holds the sum of all numbers from (0, 0) to (row, column), both included.
#pragma once
#include <algorithm>
#include <cstdint>

namespace upsweep {

// A box of pixels. The rows `top` and `bottom` and the columns `left` and `right` belong to the box.
struct AreaBox {
  int top = 0, left = 0, bottom = 0, right = 0;
  int rows() const { return bottom - top + 1; }
  int columns() const { return right - left + 1; }
  std::int64_t pixels() const { return std::int64_t{rows()} * columns(); }
  bool operator==(const AreaBox&) const = default;
};

// Returns the box of 2 * reach + 1 rows and columns around a pixel, cut at the borders of a picture.
inline AreaBox box_around(int row, int column, int reach, int rows, int columns) {
  return {std::max(row - reach, 0), std::max(column - reach, 0),
          static_cast<int>(std::min(std::int64_t{row} + reach, std::int64_t{rows} - 1)),
          static_cast<int>(std::min(std::int64_t{column} + reach, std::int64_t{columns} - 1))};
}

// The four cells of the table that the sum of a box needs. d is the sum from (0, 0) to the box's bottom right
// pixel. b is the part of d above the box. c is the part of d left of the box. a is the part that belongs to
// both b and c.
template <class Sum>
struct Corners {
  Sum a{}, b{}, c{}, d{};
  // `b` and `c` both contain `a`. So d - b - c subtracts `a` twice, and `a` must be added once. For unsigned
  // numbers, the result is correct modulo 2^bits, even if the table's cells have wrapped around.
  Sum sum() const { return d - b - c + a; }
};

// Returns the corners of a box. `cell(row, column)` returns a cell of the table. A corner above or left of
// the table is 0, and `cell` is not called for this corner.
template <class Cell>
auto corners(const AreaBox& box, const Cell& cell) {
  using Sum = decltype(cell(0, 0));
  Corners<Sum> four;
  four.d = cell(box.bottom, box.right);
  if (box.top > 0) four.b = cell(box.top - 1, box.right);
  if (box.left > 0) four.c = cell(box.bottom, box.left - 1);
  if (box.top > 0 && box.left > 0) four.a = cell(box.top - 1, box.left - 1);
  return four;
}

// The sum of this many numbers of 8 bits is less than 2^32. So the sum of a box with at most this many pixels
// is exact, even if cells of the table have wrapped around.
inline constexpr std::int64_t most_pixels_at_once = 1 << 24;

// Returns the mean of a box, rounded half up. Requires at most most_pixels_at_once pixels, each a number of 8
// bits. `cell` returns sums modulo 2^32.
template <class Cell>
std::uint8_t mean_of_box(const AreaBox& box, const Cell& cell) {
  const auto count = static_cast<std::uint32_t>(box.pixels());
  return static_cast<std::uint8_t>((corners(box, cell).sum() + count / 2) / count);
}

}  // namespace upsweep
