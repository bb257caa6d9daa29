// Writes PNG files.
#pragma once
#include <string>

#include "picture/picture.hpp"

namespace upsweep {

// Returns the bytes of a PNG file with the picture. If it cannot be compressed, throws WorkError, which names
// `path`.
std::string png_bytes(const Picture& picture, const std::string& path);

// Writes the picture as a PNG file. If the file cannot be written, throws WorkError and leaves no incomplete
// file.
void write_png(const std::string& path, const Picture& picture);

}  // namespace upsweep
