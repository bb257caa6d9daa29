#include "picture/picture.hpp"

#include <algorithm>

namespace upsweep {

Picture with_channels(const Picture& picture, int channels) {
  Picture result = black_picture(picture.rows, picture.columns, channels);
  const std::uint8_t* from = picture.values.data();
  for (std::size_t to = 0; to < result.values.size(); from += picture.channels, to += channels) {
    const unsigned red = from[0], green = from[picture.channels < 3 ? 0 : 1],
                   blue = from[picture.channels < 3 ? 0 : 2];
    if (channels == 1) {  // the sum of the weights is 2^16
      result.values[to] =
          static_cast<std::uint8_t>((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
    } else {
      result.values[to] = static_cast<std::uint8_t>(red);
      result.values[to + 1] = static_cast<std::uint8_t>(green);
      result.values[to + 2] = static_cast<std::uint8_t>(blue);
    }
  }
  return result;
}

}  // namespace upsweep
