// Reads PNG and JPEG files.
#pragma once
#include <cstdint>
#include <string>

#include "base/job.hpp"
#include "picture/picture.hpp"

namespace upsweep {

// The limits of a picture: its pixels, and its rows or columns. A file of a few bytes can claim to be a huge
// picture, so the header is checked before memory is allocated.
inline constexpr std::int64_t most_pixels = std::int64_t{1} << 26;
inline constexpr int most_side = 1'000'000;

// The size of a picture, from the header of its file.
struct PictureSize {
  int rows = 0, columns = 0;
  int channels = 1;
};

// Returns the size of a file's picture. Throws as read_picture() does, but does not notice damage behind the
// header.
PictureSize picture_size(const std::string& path);

// Reads a PNG or JPEG file as 8-bit numbers with 1 channel (grey) or 3 (red, green, blue). Numbers of 16 bits
// are rounded to 8. Palettes and CMYK become red, green and blue. Opacity, gamma and colour profiles are left
// out. Throws RequestError if the file cannot be read, is neither PNG nor JPEG, is of an unsupported kind, is
// damaged or cut off, or is too large. Throws Cancelled if the job is cancelled.
Picture read_picture(const std::string& path, const Job* job = nullptr);

}  // namespace upsweep
