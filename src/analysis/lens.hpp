// One pixel of a picture with depth of field. The compiler of the program and, when the program runs, NVRTC
// compile this file and box_sum.hpp. So a GPU and the CPU draw the same picture.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "analysis/box_sum.hpp"

namespace upsweep {

struct Lens {
  float focus = 0;      // the depth that is sharp
  float blur = 0;       // how fast reach_of() grows: pixels for each unit of depth from the focus
  int most_reach = 16;  // the largest reach of a box, in pixels; at most largest_reach
  bool operator==(const Lens&) const = default;
};

// A box of this reach has less than most_pixels_at_once pixels.
inline constexpr int largest_reach = 2047;

// Returns how many pixels the box around a pixel of this depth has on each side of that pixel.
inline int reach_of(const Lens& lens, float depth) {
  const float reach = lens.blur * std::abs(depth - lens.focus);
  return reach < static_cast<float>(lens.most_reach) ? static_cast<int>(reach + 0.5f) : lens.most_reach;
}

// A picture's summed-area table and the depths of its pixels. The cells of a pixel's channels are neighbours,
// and so are their means in `to`. The cells are sums modulo 2^32 of numbers of 8 bits.
struct LensPixels {
  const std::uint32_t* cells = nullptr;
  const float* depth = nullptr;
  std::uint8_t* to = nullptr;
  int rows = 0, columns = 0, channels = 1;

  // Writes one pixel: for each channel, the mean of a box around the pixel, as wide as the depth says.
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
