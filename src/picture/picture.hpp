// A picture as an array of pixels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace upsweep {

struct Picture {
  int rows = 0, columns = 0;
  int channels = 1;                  // 1: grey; 3: red, green, blue; 4: also the opacity
  std::vector<std::uint8_t> values;  // the top row first; the channels of a pixel are adjacent

  // Returns the index in `values` of a pixel's first channel.
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

// Returns the picture with 1 or 3 channels. Grey is the luma of ITU-R BT.601: 0.299 red + 0.587 green + 0.114
// blue, rounded. Opacity is left out.
Picture with_channels(const Picture& picture, int channels);

}  // namespace upsweep
