// Computes the summed-area table of a picture (see box_sum.hpp), and computes the means of boxes of pixels
// from this table.
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/box_sum.hpp"
#include "picture/picture.hpp"

namespace upsweep {

class AreaTable {
  // Returns a function of a row and a column. This function returns the table's cell for one channel.
  auto cells_of(int channel) const {
    return [this, channel](int row, int column) {
      return cells_[(static_cast<std::size_t>(row) * columns_ + column) * channels_ + channel];
    };
  }

 public:
  // Makes the table of the picture's channels `first` to `first` + `channels` - 1. The table's cells are sums
  // modulo 2^32.
  AreaTable(const Picture& picture, int first, int channels) : AreaTable() { make(picture, first, channels); }
  AreaTable() = default;
  // Makes the table of another picture, and reuses the memory of the old table.
  void make(const Picture& picture, int first, int channels);

  int rows() const { return rows_; }
  int columns() const { return columns_; }

  // Returns the cells, row by row. The cells of one pixel's channels are neighbours.
  const std::uint32_t* cells() const { return cells_.data(); }

  // Returns the mean of a box, rounded half up. `channel` 0 is the table's first channel.
  std::uint8_t mean(const AreaBox& box, int channel) const {
    const std::int64_t pixels = box.pixels();
    if (pixels > most_pixels_at_once)
      return static_cast<std::uint8_t>((sum(box, channel) + static_cast<std::uint64_t>(pixels) / 2) /
                                       static_cast<std::uint64_t>(pixels));
    return mean_of_box(box, cells_of(channel));
  }
  // Returns the exact sum of a box of any size.
  std::uint64_t sum(const AreaBox& box, int channel) const;

 private:
  int rows_ = 0, columns_ = 0, channels_ = 0;
  std::vector<std::uint32_t> cells_;
};

// Replaces every pixel by the mean of the box around the pixel, for each channel. The box has `width` rows
// and `width` columns, and is cut at the picture's borders. `width` must be odd. Means are rounded half up.
void box_filter(Picture& picture, std::int64_t width);

}  // namespace upsweep
