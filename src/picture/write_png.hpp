// Writes PNG files.
#pragma once
#include <string>

#include "picture/picture.hpp"

namespace upsweep {

// Returns the bytes of a PNG file that contains the picture. Throws WorkError, which names `path`, if the
// picture cannot be compressed.
std::string png_bytes(const Picture& picture, const std::string& path);

// Writes the picture as a PNG file. Throws WorkError if the file cannot be written. In this case, no
// incomplete file remains.
void write_png(const std::string& path, const Picture& picture);

}  // namespace upsweep
