#include "scene/views/image_layout.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace upsweep {
namespace {

constexpr float least_picture = 44;   // the smallest height of a picture in dp
constexpr float least_control = 130;  // the smallest width of the slider in dp
constexpr float slider_height = 36, least_caption = 190, text_gap = 8;

// A text and its place: below or beside the pictures. `taken` is the height or the width in dp that the text
// takes from the pictures.
struct TextPlace {
  ImageText text;
  bool below;
  float taken;
};

}  // namespace

ImageLayout image_layout(const Box& room, float aspect, const SumsSize& sums) {
  ImageLayout all;
  all.count = room.w >= 560 ? 3 : 2;
  const auto count = static_cast<float>(all.count);
  const auto slot_beside = [&](float taken) { return (room.w - taken - (count - 1) * image_gap) / count; };
  const auto height_with = [&](const TextPlace& p) {
    return std::min(slot_beside(p.below ? 0 : p.taken) / aspect,
                    room.h - caption_height - (p.below ? p.taken : 0));
  };
  const float alone = height_with({ImageText::none, true, 0});
  if (alone < least_picture) {
    all.count = 0;
    return all;
  }
  // The array `places` below contains the possible forms of the texts, from the most detailed form to the
  // shortest.
  const float line = std::max(sums.line_height, slider_height) + text_gap;
  const bool line_fits = sums.line_width + image_gap + least_control <= room.w;
  const TextPlace places[] = {
      {ImageText::column, false, sums.width + image_gap},
      {ImageText::column, true, sums.height + image_gap},
      {ImageText::line, true, line},
      {ImageText::narrow_column, false, std::max(sums.narrow_width, least_control) + image_gap},
      {ImageText::slider, true, slider_height + text_gap},
      {ImageText::slider, false, least_control + image_gap}};
  const auto is_possible = [&](const TextPlace& p) {
    constexpr float most = 0.36f;  // the largest fraction of the room that the text may take
    const float height = height_with(p);
    if (p.text == ImageText::line && !line_fits) return false;
    if (p.text == ImageText::column && sums.width > room.w) return false;
    if (p.text == ImageText::narrow_column && room.h < sums.narrow_height) return false;
    if (p.text == ImageText::column && !p.below && room.h < sums.least_height) return false;
    return height >= least_picture &&
           (height >= 0.98f * alone || p.taken <= most * (p.below ? room.h : room.w));
  };
  constexpr float enough = 0.8f;  // more words are worth pictures that are a fifth smaller
  std::optional<TextPlace> found;
  for (const bool with_numbers : {true, false}) {
    float best = 0;
    const auto is_candidate = [&](const TextPlace& p) {
      return (p.text != ImageText::slider) == with_numbers && is_possible(p);
    };
    for (const TextPlace& p : places)
      if (is_candidate(p)) best = std::max(best, height_with(p));
    for (const TextPlace& p : places)
      if (!found && is_candidate(p) && height_with(p) >= enough * best) found = p;
  }
  const TextPlace place = found.value_or(TextPlace{ImageText::none, true, 0});

  const float height = height_with(place);
  all.text = place.text;
  // A slot must be wide enough for the picture and for the picture's caption.
  all.slot = place.below ? slot_beside(0)
                         : std::min(slot_beside(place.taken), std::max(height * aspect, least_caption));
  for (int k = 0; k < all.count; ++k)
    all.pictures[k] = {std::round(room.x + static_cast<float>(k) * (all.slot + image_gap)),
                       room.y + caption_height, std::round(height * aspect), std::round(height)};

  const float below = room.y + caption_height + height + text_gap, right = room.x + room.w,
              bottom = room.y + room.h, beside = room.x + count * (all.slot + image_gap);
  const auto scaled = [](float wide, float high, float most) {
    return std::clamp(std::min(wide, high), 1.0f, most);
  };
  // If the view is not high enough, the slider is left out.
  bool has_slider = true;
  const auto leaves_room_for_slider = [&](float height) { return room.h >= height + slider_height; };
  switch (place.text) {
    case ImageText::column:
      if (place.below) {
        const float y = below + image_gap - text_gap;
        all.scale = scaled((room.w - least_control) / sums.width, (bottom - y) / sums.height, 1.5f);
        all.sums = {room.x, y, sums.width * all.scale, sums.height * all.scale};
        const float x = std::max(all.sums.x + all.sums.w + 2 * image_gap, all.pictures[all.count - 1].x);
        if (right - x >= least_control) all.controls = {x, y, right - x, all.sums.h};
        break;
      }
      all.scale = scaled((right - beside) / sums.width, room.h / 270, 1.4f);
      has_slider = leaves_room_for_slider(sums.least_height);
      all.sums = {beside, room.y, sums.width * all.scale,
                  std::min(room.h - (has_slider ? slider_height * all.scale : 0), sums.height * all.scale)};
      break;
    case ImageText::narrow_column:
      all.scale = scaled((right - beside) / std::max(sums.narrow_width, least_control),
                         room.h / (sums.narrow_height + slider_height), 1.4f);
      has_slider = leaves_room_for_slider(sums.narrow_height);
      all.sums = {beside, room.y, right - beside, sums.narrow_height * all.scale};
      break;
    case ImageText::line: {
      // Two more lines are below the equations: the mean of the box, and a remark.
      const float with_mean =
          sums.line_height * static_cast<float>(sums.lines + 2) / static_cast<float>(sums.lines);
      all.scale =
          scaled((room.w - image_gap - least_control) / sums.line_width, (bottom - below) / with_mean, 1.5f);
      all.sums = {room.x, below, sums.line_width * all.scale, bottom - below};
      const float x = all.sums.x + all.sums.w + image_gap;
      all.controls = {x, below, right - x, bottom - below};
      break;
    }
    case ImageText::slider:
      all.controls = place.below ? Box{room.x, below, std::min(room.w, 330.0f), bottom - below}
                                 : Box{beside, room.y, right - beside, room.h};
      break;
    case ImageText::none: break;
  }
  if (has_slider && all.sums.h > 0 && all.controls.h <= 0 &&
      !(place.text == ImageText::column && place.below)) {
    const float y = all.sums.y + all.sums.h + 6;
    all.controls = {all.sums.x, y, all.sums.w, bottom - y};
  }
  return all;
}

}  // namespace upsweep
