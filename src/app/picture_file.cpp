#include "app/picture_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "options/options.hpp"

namespace upsweep {

std::string_view format_of(std::string_view what, const std::string& path,
                           std::span<const std::string_view> formats) {
  expect_file_name("-o", path);
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](std::string_view f) { return path.ends_with(f); });
  if (found == formats.end())
    throw RequestError(tr("The {picture} {file} cannot be written: its name must end in {endings}.",
                          fmt::arg("picture", what), fmt::arg("file", path),
                          fmt::arg("endings", fmt::format("{}", fmt::join(formats, ", ")))));
  expect_writable(path);
  return *found;
}

ChartFrame frame_of(const PictureFile& p) {
  return {p.theme.theme(), static_cast<float>(p.size.width) / p.scale,
          static_cast<float>(p.size.height) / p.scale};
}

void write_picture(const Scene& scene, const PictureFile& p) {
  PictureSeries one(p, 0, 1);
  one.add(scene, 0);
  one.finish();
}

PictureSeries::PictureSeries(const PictureFile& picture, int most, int count)
    : picture_(picture),
      digits_(most > 0 ? fmt::to_string(most).size() : 0),
      encoder_({std::string(picture.format), picture.size.width, picture.size.height, picture.scale,
                picture.speed},
               count) {}

void PictureSeries::write(const std::string& bytes, int number) const {
  const std::string start = picture_.path.substr(0, picture_.path.size() - picture_.format.size());
  write_file(
      digits_ == 0 ? picture_.path : fmt::format("{}-{:0{}}{}", start, number, digits_, picture_.format),
      bytes);
}

void PictureSeries::finish() {
  if (encoder_.is_one_file()) write_file(picture_.path, encoder_.finish());
  for (const std::string& notice : encoder_.notices()) fmt::print(stderr, "{}\n", notice);
}

}  // namespace upsweep
