#include "app/picture_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "export/export.hpp"
#include "picture/write_png.hpp"
#include "render/render.hpp"

namespace upsweep {
namespace {

Picture pixels(const Scene& scene, const PictureFile& p) {
  OffscreenContext context(p.size.width, p.size.height);
  Renderer renderer;
  renderer.begin(p.size.width, p.size.height, scene.background);
  renderer.draw(scene, 0, 0, p.scale);
  for (const std::string& notice : renderer.notices()) fmt::print(stderr, "{}\n", notice);
  return context.read();
}

}  // namespace

std::string_view format_of(std::string_view what, const std::string& path,
                           std::span<const std::string_view> formats) {
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](std::string_view f) { return path.ends_with(f); });
  if (found == formats.end())
    throw RequestError(fmt::format("The {} {} cannot be written: its name must end in {}.", what, path,
                                   fmt::join(formats, ", ")));
  expect_writable(path);
  return *found;
}

ChartFrame frame_of(const PictureFile& p) {
  return {p.dark ? dark_theme() : light_theme(), static_cast<float>(p.size.width) / p.scale,
          static_cast<float>(p.size.height) / p.scale};
}

void write_picture(const Scene& scene, const PictureFile& p) {
  if (p.format == ".png") write_png(p.path, pixels(scene, p));
  if (p.format == ".svg") write_file(p.path, svg(scene));
  if (p.format == ".pdf") write_file(p.path, pdf(scene));
}

}  // namespace upsweep
