#include <fmt/format.h>
#include <png.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "render/render.hpp"

namespace upsweep {
namespace fs = std::filesystem;

namespace {

void write_to(const fs::path& file, const Image& image, const std::string& name) {
  const auto fail = [&](const std::string& why) {
    throw WorkError(fmt::format("The picture could not be written to {}: {}.", name, why));
  };
  std::FILE* out = std::fopen(file.c_str(), "wb");
  if (!out) fail(std::strerror(errno));
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGBA;
  const bool written = png_image_write_to_stdio(&png, out, 0, image.rgba.data(), 0, nullptr) != 0;
  const std::string why = written ? "" : png.message;
  png_image_free(&png);
  const bool closed = std::fclose(out) == 0;
  if (!written) fail(why);
  if (!closed) fail(std::strerror(errno));
}

}  // namespace

void write_png(const std::string& path, const Image& image) {
  std::error_code error;
  // Pipes and devices are written directly. A file, also behind a link, appears complete or not at all.
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) return write_to(path, image, path);
  const fs::path target = fs::exists(path, error) ? fs::canonical(path, error) : fs::path(path);
  const fs::path part = fmt::format("{}.{}.part", target.string(), getpid());
  try {
    write_to(part, image, path);
    fs::rename(part, target);
  } catch (const fs::filesystem_error& e) {
    fs::remove(part, error);
    throw WorkError(fmt::format("The picture could not be written to {}: {}.", path, e.code().message()));
  } catch (...) {
    fs::remove(part, error);
    throw;
  }
}

}  // namespace upsweep
