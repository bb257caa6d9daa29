// A picture, and the file to which it is written.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "app/options.hpp"
#include "scene/charts/charts.hpp"
#include "scene/scene.hpp"

namespace upsweep {

inline constexpr std::string_view picture_formats[] = {".png", ".svg", ".pdf"};

struct PictureFile {
  std::string path;
  std::string_view format;  // the ending of the path, such as ".png"
  Size size{1280, 720};     // pixels
  float scale = 1;
  bool dark = false;
};

// Returns the ending of the path, which must be one of `formats`. Throws RequestError if it is another
// ending, and WorkError if the file cannot be written. `what` names the file's contents in the error.
std::string_view format_of(std::string_view what, const std::string& path,
                           std::span<const std::string_view> formats);
ChartFrame frame_of(const PictureFile& picture);
void write_picture(const Scene& scene, const PictureFile& picture);

}  // namespace upsweep
