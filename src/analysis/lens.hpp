// Draws one pixel of a picture with depth of field. This file and box_sum.hpp are compiled twice: with the
// program for the CPU, and by NVRTC for a GPU. So the CPU and a GPU draw the same picture.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "analysis/box_sum.hpp"

namespace upsweep {

struct Lens {
  float focus = 0;      // the depth that is sharp
  float blur = 0;       // the reach of a box, in pixels per unit of |depth - focus|
  int most_reach = 16;  // the largest reach of a box, in pixels; at most largest_reach
  bool operator==(const Lens&) const = default;
};

// The largest reach of a box. Such a box has fewer than most_pixels_at_once pixels, as mean_of_box()
// requires.
inline constexpr int largest_reach = 2047;

// Returns the reach of the box around a pixel of this depth: the number of pixels on each side of the pixel.
inline int reach_of(const Lens& lens, float depth) {
  const float reach = lens.blur * std::abs(depth - lens.focus);
  return reach < static_cast<float>(lens.most_reach) ? static_cast<int>(reach + 0.5f) : lens.most_reach;
}

// The summed-area table of a picture, and the depths of the picture's pixels. The table's cells are sums of
// 8-bit numbers, modulo 2^32. In `cells` and in `to`, the channels of a pixel are neighbours.
struct LensPixels {
  const std::uint32_t* cells = nullptr;
  const float* depth = nullptr;
  std::uint8_t* to = nullptr;
  int rows = 0, columns = 0, channels = 1;

  // Writes one pixel to `to`: for each channel, the mean of the box around the pixel. The pixel's depth
  // determines the width of the box.
  void draw(int row, int column, const Lens& lens) const {
    const std::size_t pixel = place(row, column);
    const AreaBox box = box_around(row, column, reach_of(lens, depth[pixel]), rows, columns);
    const auto all = static_cast<std::size_t>(channels);
    for (std::size_t k = 0; k < all; ++k)
      to[pixel * all + k] = mean_of_box(box, [&](int r, int c) { return cells[place(r, c) * all + k]; });
  }
  std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
};

}  // namespace upsweep
