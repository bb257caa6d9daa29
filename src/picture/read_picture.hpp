// Reads PNG and JPEG files.
#pragma once
#include <cstdint>
#include <string>

#include "base/job.hpp"
#include "picture/picture.hpp"

namespace upsweep {

// The largest number of pixels of a picture, and the largest number of rows or columns. A file of a few bytes
// can claim to contain a huge picture, so the header is checked before memory is allocated.
inline constexpr std::int64_t most_pixels = std::int64_t{1} << 26;
inline constexpr int most_side = 1'000'000;

// The size of a picture, read from the header of its file.
struct PictureSize {
  int rows = 0, columns = 0;
  int channels = 1;
};

// Returns the size of a file's picture. Throws the same errors as read_picture(), but does not find damage
// after the header.
PictureSize picture_size(const std::string& path);

// Reads a PNG or JPEG file into 8-bit numbers with 1 channel (grey) or 3 channels (red, green, blue). Rounds
// 16-bit numbers to 8 bits. Converts palettes and CMYK to red, green and blue. Ignores opacity, gamma and
// colour profiles.
//
// Throws RequestError if the file cannot be read, is neither PNG nor JPEG, is of an unsupported kind, is
// damaged or cut off, or is too large. Throws Cancelled if the job is cancelled.
Picture read_picture(const std::string& path, const Job* job = nullptr);

}  // namespace upsweep
