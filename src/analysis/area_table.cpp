#include "analysis/area_table.hpp"

#include "base/bands.hpp"

namespace upsweep {

void AreaTable::make(const Picture& picture, int first, int channels) {
  rows_ = picture.rows;
  columns_ = picture.columns;
  channels_ = channels;
  const std::size_t pitch = static_cast<std::size_t>(columns_) * channels_;
  cells_.resize(pitch * rows_);
  for (int k = 0; k < channels; ++k) {
    const std::uint8_t* from = &picture.values[first + k];
    std::uint32_t* to = &cells_[k];
    for (int row = 0; row < rows_; ++row) {
      std::uint32_t in_row = 0;
      for (int column = 0; column < columns_; ++column, from += picture.channels, to += channels_) {
        in_row += *from;
        *to = in_row + (row > 0 ? *(to - pitch) : 0);
      }
    }
  }
}

std::uint64_t AreaTable::sum(const AreaBox& box, int channel) const {
  if (box.pixels() <= most_pixels_at_once) return corners(box, cells_of(channel)).sum();
  AreaBox one = box, other = box;
  if (box.rows() > 1) {
    one.bottom = box.top + box.rows() / 2 - 1;
    other.top = one.bottom + 1;
  } else {
    one.right = box.left + box.columns() / 2 - 1;
    other.left = one.right + 1;
  }
  return sum(one, channel) + sum(other, channel);
}

void box_filter(Picture& picture, std::int64_t width) {
  const auto longest = static_cast<std::int64_t>(std::max(picture.rows, picture.columns));
  const int reach = static_cast<int>(std::min(width / 2, longest));
  AreaTable table;
  for (int k = 0; k < picture.channels; ++k) {
    table.make(picture, k, 1);
    in_bands(picture.rows, [&](int begin, int end) {
      for (int row = begin; row < end; ++row) {
        std::uint8_t* to = &picture.values[picture.at(row, 0) + k];
        for (int column = 0; column < picture.columns; ++column, to += picture.channels)
          *to = table.mean(box_around(row, column, reach, picture.rows, picture.columns), 0);
      }
    });
  }
}

}  // namespace upsweep
