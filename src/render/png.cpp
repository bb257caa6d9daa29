#include <fmt/format.h>
#include <png.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "render/render.hpp"

namespace upsweep {

void write_png(const std::string& path, const Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGBA;
  char* bytes = nullptr;
  std::size_t size = 0;
  std::FILE* out = open_memstream(&bytes, &size);
  if (!out) throw std::bad_alloc();
  const bool written = png_image_write_to_stdio(&png, out, 0, image.rgba.data(), 0, nullptr) != 0;
  const bool closed = std::fclose(out) == 0;
  const std::unique_ptr<char, decltype(&std::free)> owned(bytes, std::free);
  const std::string why = png.message;
  png_image_free(&png);
  if (!written || !closed)
    throw WorkError(fmt::format("The picture could not be written to {}: {}.", path, why));
  write_file(path, {bytes, size});
}

}  // namespace upsweep
