#include "analysis/depth_of_field.hpp"

#include <algorithm>
#include <utility>

#include "base/bands.hpp"

namespace upsweep {

Lens lens_for(int columns, float focus) {
  return {focus, 0.012f * static_cast<float>(columns), std::clamp(columns / 40, 1, largest_reach)};
}

DepthOfField::DepthOfField(Picture colour, std::vector<float> depth)
    : colour_(std::move(colour)), table_(colour_, 0, colour_.channels), depth_(std::move(depth)) {}

Picture DepthOfField::seen_through(const Lens& lens) const {
  Picture picture = black_picture(colour_.rows, colour_.columns, colour_.channels);
  const LensPixels pixels{table_.cells(), depth_.data(),   picture.values.data(),
                          picture.rows,   picture.columns, picture.channels};
  in_bands(picture.rows, [&](int begin, int end) {
    for (int row = begin; row < end; ++row)
      for (int column = 0; column < pixels.columns; ++column) pixels.draw(row, column, lens);
  });
  return picture;
}

}  // namespace upsweep
