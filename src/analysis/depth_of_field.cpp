#include "analysis/depth_of_field.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/bands.hpp"

namespace upsweep {

Lens lens_for(int columns, float focus) {
  return {focus, 0.012f * static_cast<float>(columns), std::max(columns / 40, 1)};
}

int reach_of(const Lens& lens, float depth) {
  const float reach = lens.blur * std::abs(depth - lens.focus);
  return reach < static_cast<float>(lens.most_reach) ? static_cast<int>(reach + 0.5f) : lens.most_reach;
}

DepthOfField::DepthOfField(const Picture& colour, std::vector<float> depth)
    : table_(colour, 0, colour.channels), channels_(colour.channels), depth_(std::move(depth)) {}

Picture DepthOfField::seen_through(const Lens& lens) const {
  const int rows = table_.rows(), columns = table_.columns();
  Picture picture = black_picture(rows, columns, channels_);
  in_bands(rows, [&](int begin, int end) {
    std::uint8_t* to = &picture.values[picture.at(begin, 0)];
    const float* depth = &depth_[static_cast<std::size_t>(begin) * columns];
    for (int row = begin; row < end; ++row)
      for (int column = 0; column < columns; ++column) {
        const AreaBox box = box_around(row, column, reach_of(lens, *depth++), rows, columns);
        for (int k = 0; k < channels_; ++k) *to++ = table_.mean(box, k);
      }
  });
  return picture;
}

}  // namespace upsweep
