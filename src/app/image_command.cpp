#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "analysis/area_table.hpp"
#include "analysis/depth_of_field.hpp"
#include "app/commands.hpp"
#include "app/picture_file.hpp"
#include "app/picture_options.hpp"
#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "options/options.hpp"
#include "picture/read_picture.hpp"
#include "picture/small_scene.hpp"
#include "picture/write_png.hpp"

namespace upsweep {
namespace {

constexpr std::string_view png_alone[] = {".png"};
// Drawing this number of pixels with depth of field takes about 2 s and 400 MB.
constexpr std::int64_t most_scene_pixels = 1 << 24;

std::int64_t box_width(const std::string& typed) {
  const std::int64_t width = whole_number("--box", typed);
  if (width < 1 || width % 2 == 0)
    throw RequestError(
        tr("--box {}: give an odd number of pixels, at least 1, so that the box has a middle pixel.", typed));
  return width;
}

float focus_depth(const std::string& typed) {
  float depth = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), depth);
  if (error != std::errc() || end != typed.data() + typed.size() || !(depth >= 0 && depth <= farthest_depth))
    throw RequestError(
        tr("--focus takes a depth from 0 to {}, such as 4.5, not \"{}\".", farthest_depth, typed));
  return depth;
}

// Returns the scene with the size that --size names, or with the default size.
SmallScene chosen_scene(const std::optional<std::string>& typed) {
  const Size size = typed ? chosen_size(*typed) : Size{640, 480};
  if (const std::int64_t pixels = std::int64_t{size.width} * size.height; pixels > most_scene_pixels)
    throw RequestError(tr("--size {} has {} pixels, which is too many: give at most {}.", *typed,
                          grouped(pixels), grouped(most_scene_pixels)));
  return small_scene(size.height, size.width);
}

}  // namespace

void ImageCommand::add_to(ArgumentParser& parser) {
  parser.add_option("ALGORITHM", algorithm);
  parser.add_option("--image", image);
  parser.add_flag("--scene", scene);
  parser.add_option("--size", size);
  parser.add_option("--box", box);
  parser.add_option("--focus", focus);
  parser.add_option("-o,--output", output);
}

void ImageCommand::run() const {
  if (algorithm != "summed_area_table")
    throw RequestError(algorithm.empty()
                           ? tr("The name of an algorithm is missing: give summed_area_table.")
                           : tr("`upsweep image` takes summed_area_table, not \"{}\".", algorithm));
  if (image.has_value() == scene)
    throw RequestError(
        tr("Give one picture: --image FILE for your own picture, or --scene for the built-in picture."));
  if (image) expect_file_name("--image", *image);
  if (size && !scene) throw RequestError(tr("The file of --image has its own size: leave --size out."));
  if (box.has_value() == focus.has_value())
    throw RequestError(
        tr("Give --box W for boxes of one width, or --scene and --focus D for depth of field."));
  if (focus && !scene)
    throw RequestError(tr("--focus needs the depth of every pixel: give --scene instead of --image."));
  if (!output) throw RequestError(tr("The output file is missing: give -o FILE, such as -o filtered.png."));
  format_of(tr("picture"), *output, png_alone);
  if (focus) {
    const float depth = focus_depth(*focus);
    SmallScene all = chosen_scene(size);
    const Lens lens = lens_for(all.colour.columns, depth);
    return write_png(*output, DepthOfField(all.colour, std::move(all.depth)).seen_through(lens));
  }
  const std::int64_t width = box_width(*box);
  Picture picture = scene ? chosen_scene(size).colour : read_picture(*image);
  box_filter(picture, width);
  write_png(*output, picture);
}

}  // namespace upsweep
