// Defines a picture as an array of pixels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace upsweep {

struct Picture {
  int rows = 0, columns = 0;
  int channels = 1;  // 1: grey; 3: red, green, blue; 4: red, green, blue, opacity
  // The values of all pixels, row by row from the top. All channels of a pixel stand next to each other.
  std::vector<std::uint8_t> values;

  // Returns the index of a pixel's first channel in `values`.
  std::size_t at(int row, int column) const {
    return (static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
            static_cast<std::size_t>(column)) *
           static_cast<std::size_t>(channels);
  }
  bool operator==(const Picture&) const = default;
};

// Returns a black picture.
inline Picture black_picture(int rows, int columns, int channels) {
  Picture picture{rows, columns, channels, {}};
  picture.values.resize(picture.at(rows, 0));
  return picture;
}

// Converts the picture to 1 or 3 channels. A grey pixel is the rounded luma of ITU-R BT.601: 0.299 red +
// 0.587 green + 0.114 blue. The opacity is dropped.
Picture with_channels(const Picture& picture, int channels);

}  // namespace upsweep
