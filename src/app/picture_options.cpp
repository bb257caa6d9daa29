#include "app/picture_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/error.hpp"
#include "base/language.hpp"
#include "options/options.hpp"
#include "study/session.hpp"
#include "window/picture_encoder.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr int largest_side = 32768;  // in pixels; the driver reports an error if its own limit is lower
constexpr float largest_scale = 16;
constexpr std::string_view theme_names[] = {"light", "dark", "contrast-light", "contrast-dark"};

}  // namespace

ThemeChoice theme_chosen(const std::string& typed) {
  const std::size_t theme = one_of("--theme", typed, theme_names);
  return {theme % 2 == 1, theme >= 2};
}

Size chosen_size(const std::string& typed) {
  const auto refuse = [&] {
    throw RequestError(
        tr("--size takes width x height in pixels, such as 1280x720, each from 1 to {}, not \"{}\".",
           grouped(largest_side), typed));
  };
  Size size;
  const char* const end = typed.data() + typed.size();
  const auto width = std::from_chars(typed.data(), end, size.width);
  if (width.ec != std::errc() || width.ptr == end || *width.ptr != 'x') refuse();
  const auto height = std::from_chars(width.ptr + 1, end, size.height);
  if (height.ec != std::errc() || height.ptr != end) refuse();
  if (std::min(size.width, size.height) < 1 || std::max(size.width, size.height) > largest_side) refuse();
  return size;
}

namespace {

// Reads the number after an option. The number must be between two limits. `unit` explains the number.
float number_between(const char* option, const std::string& typed, float least, float most,
                     const char* unit) {
  float number = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  if (error != std::errc() || end != typed.data() + typed.size() || !(number >= least && number <= most))
    throw RequestError(
        tr("{} takes a number from {} to {}{}, not \"{}\".", option, least, most, unit, typed));
  return number;
}

}  // namespace

float chosen_scale(const std::string& typed) {
  return number_between("--scale", typed, 0.25f, largest_scale, tr(" (pixels per logical pixel)"));
}
float chosen_text_scale(const std::string& typed) {
  return number_between("--text-scale", typed, least_text_scale, most_text_scale, "");
}

double chosen_speed(const std::string& typed) {
  double speed = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), speed);
  if (error != std::errc() || end != typed.data() + typed.size() ||
      !(speed >= slowest_animation && speed <= fastest_animation))
    throw RequestError(tr("--speed takes {} to {} steps per second, not \"{}\".", slowest_animation,
                          fastest_animation, typed));
  return speed;
}

}  // namespace upsweep
