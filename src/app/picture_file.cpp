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

// Draws scenes in pixels.
struct PictureSeries::Canvas {
  explicit Canvas(const Size& size) : context(size.width, size.height) {}
  Picture draw(const Scene& scene, const PictureFile& p) {
    renderer.begin(p.size.width, p.size.height, scene.background);
    renderer.draw(scene, 0, 0, p.scale);
    for (const std::string& notice : renderer.notices()) fmt::print(stderr, "{}\n", notice);
    return context.read();
  }

  OffscreenContext context;
  Renderer renderer;
};

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
  PictureSeries one(p, 0);
  one.add(scene, 0);
  one.finish();
}

PictureSeries::PictureSeries(const PictureFile& picture, int most)
    : picture_(picture), digits_(most > 0 ? fmt::to_string(most).size() : 0) {
  if (picture_.format == ".png") canvas_ = std::make_unique<Canvas>(picture_.size);
}

PictureSeries::~PictureSeries() = default;

std::string PictureSeries::name_of(int number) const {
  if (digits_ == 0) return picture_.path;
  const std::string start = picture_.path.substr(0, picture_.path.size() - picture_.format.size());
  return fmt::format("{}-{:0{}}{}", start, number, digits_, picture_.format);
}

void PictureSeries::add(const Scene& scene, int number) {
  if (picture_.format == ".png") write_png(name_of(number), canvas_->draw(scene, picture_));
  if (picture_.format == ".svg") write_file(name_of(number), svg(scene));
  if (picture_.format == ".pdf") document_.add_page(scene);
}

void PictureSeries::finish() {
  if (picture_.format == ".pdf") write_file(picture_.path, document_.finish());
}

}  // namespace upsweep
