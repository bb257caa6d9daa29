// Writes PNG files.
#pragma once
#include <string>

#include "picture/picture.hpp"

namespace upsweep {

// Writes the picture as a PNG file. If the file cannot be written, throws WorkError and leaves no incomplete
// file.
void write_png(const std::string& path, const Picture& picture);

}  // namespace upsweep
