// Writes PNG files with libpng. If an error occurs, libpng calls longjmp().
#include "picture/write_png.hpp"

#include <png.h>

#include <csetjmp>
#include <new>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/messages.hpp"

namespace upsweep {
namespace {

void append(png_structp png, png_bytep bytes, std::size_t count) {
  auto& file = *static_cast<std::string*>(png_get_io_ptr(png));
  try {
    file.append(reinterpret_cast<const char*>(bytes), count);
    return;
  } catch (const std::bad_alloc&) {}
  png_error(png, "");
}

// Compresses a picture into `file`. Returns false if there is not enough memory, or if the picture is empty.
[[gnu::noinline]] bool compress(png_structp png, png_infop info, const Picture& picture, std::string& file) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_write_fn(png, &file, append, nullptr);
  // Above this size in bytes, a picture gets the fastest compression, because the default compression would
  // take seconds.
  constexpr std::size_t large = 1 << 24;
  if (picture.values.size() > large) {
    png_set_compression_level(png, 1);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  }
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.columns), static_cast<png_uint_32>(picture.rows),
               8,
               picture.channels == 4   ? PNG_COLOR_TYPE_RGB_ALPHA
               : picture.channels == 3 ? PNG_COLOR_TYPE_RGB
                                       : PNG_COLOR_TYPE_GRAY,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (int row = 0; row < picture.rows; ++row) png_write_row(png, &picture.values[picture.at(row, 0)]);
  png_write_end(png, info);
  return true;
}

}  // namespace

std::string png_bytes(const Picture& picture, const std::string& path) {
  const auto stop = [](png_structp png, png_const_charp) { png_longjmp(png, 1); };
  const auto ignore = [](png_structp, png_const_charp) {};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, stop, ignore);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  std::string file;
  const bool written = info && compress(png, info, picture, file);
  png_destroy_write_struct(&png, &info);
  if (!written) throw WorkError(say::picture_not_packed(path));
  return file;
}

void write_png(const std::string& path, const Picture& picture) {
  write_file(path, png_bytes(picture, path));
}

}  // namespace upsweep
