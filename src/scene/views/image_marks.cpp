#include "scene/views/image_marks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/language.hpp"
#include "scene/views/image_sums.hpp"
#include "scene/wrap.hpp"

namespace upsweep {
namespace {

constexpr float least_label = 10;  // the smallest em of the words in areas

// Returns the intersection of two boxes. The intersection has a negative size if the boxes do not overlap.
Box common(const Box& a, const Box& b) {
  const float left = std::max(a.x, b.x), top = std::max(a.y, b.y);
  return {left, top, std::min(a.x + a.w, b.x + b.w) - left, std::min(a.y + a.h, b.y + b.h) - top};
}

// Returns the scale of the letters in a picture: at 1, the letters have their smallest size.
float mark_scale(const Box& room) { return std::clamp(std::min(room.w, room.h) / 200, 1.0f, 2.2f); }
// Returns the radius of the disc around a letter.
float mark_radius(const Box& room) { return 8 * mark_scale(room); }
// Returns false if the letters would hide a large part of the picture.
bool has_letters(const Box& room) {
  const float radius = mark_radius(room);
  return 4 * (2 * radius) * (2 * radius) <= 0.16f * room.w * room.h;
}
// Returns the font size of the words that are drawn inside areas of the picture.
float label_size(const Box& room) { return 11 * mark_scale(room); }

}  // namespace

std::vector<BoxMarks::Area> BoxMarks::areas() const {
  std::vector<Area> all;
  const AreaBox& b = box_;
  if (b.top > 0) all.push_back({{0, b.left, b.top - 1, b.right}, 'B', {tr("− above"), tr("above")}});
  if (b.left > 0) all.push_back({{b.top, 0, b.bottom, b.left - 1}, 'C', {tr("− left"), tr("left")}});
  if (b.top > 0 && b.left > 0)
    all.push_back({{0, 0, b.top - 1, b.left - 1}, 'A', {tr("subtracted twice, so added back"), tr("both")}});
  return all;
}

Box BoxMarks::place_of(const Box& room, const AreaBox& area) const {
  const float w = room.w / static_cast<float>(part_.columns), h = room.h / static_cast<float>(part_.rows);
  return {room.x + w * static_cast<float>(area.left - part_.column),
          room.y + h * static_cast<float>(area.top - part_.row), w * static_cast<float>(area.columns()),
          h * static_cast<float>(area.rows())};
}

void BoxMarks::clipped(const Box& room, const Box& area, const RectStyle& style) {
  const Box part = common(room, area);
  if (part.w >= 0.5f && part.h >= 0.5f) p_.rect(part, style);
}

void BoxMarks::frame(const Box& room, const AreaBox& area, float margin, Colour colour, float width) {
  const Box whole = place_of(room, area), part = common(room, whole);
  if (part.w < 0.5f || part.h < 0.5f) return;
  const bool has_left = area.left >= part_.column, has_right = area.right < part_.column + part_.columns,
             has_top = area.top >= part_.row, has_bottom = area.bottom < part_.row + part_.rows;
  const float left = has_left ? whole.x - margin : part.x, top = has_top ? whole.y - margin : part.y,
              right = has_right ? whole.x + whole.w + margin : part.x + part.w,
              bottom = has_bottom ? whole.y + whole.h + margin : part.y + part.h;
  if (has_left && has_right && has_top && has_bottom)
    return p_.rect({left, top, right - left, bottom - top}, {.stroke = colour, .width = width});
  if (has_left) p_.line({left, top}, {left, bottom}, colour, width);
  if (has_right) p_.line({right, top}, {right, bottom}, colour, width);
  if (has_top) p_.line({left, top}, {right, top}, colour, width);
  if (has_bottom) p_.line({left, bottom}, {right, bottom}, colour, width);
}

void BoxMarks::draw_areas(const Box& room, float tint, bool hatched) {
  for (const Area& area : areas()) {
    const Colour c = corner_colour(area.letter, p_.theme);
    clipped(room, place_of(room, area.box),
            {.fill = faded(c, tint), .stroke = faded(c, 0.6f), .hatch = hatched});
  }
}

std::optional<BoxMarks::Label> BoxMarks::label_of(const Box& room, const Box& area, const std::string& words,
                                                  float size) const {
  const float pitch = 1.4f * size, radius = mark_radius(room);
  Label label{{}, wrapped(words, size, Face::bold, area.w - 10)};
  float w = 0;
  for (const std::string& line : label.lines) w = std::max(w, text_width(line, size, Face::bold));
  const float h = pitch * static_cast<float>(label.lines.size());
  Box& place = label.place;
  // Places the words in the middle of the area. If the words would cover the letter of a corner, places
  // the words in the upper left corner of the area.
  place = {area.x + area.w / 2 - w / 2 - 4, area.y + area.h / 2 - h / 2 - 1, w + 8, h + 2};
  const auto is_free = [&] {
    return std::ranges::none_of(corners(room), [&](const Corner& c) {
      const Box covered = common(place, {c.at.x - radius, c.at.y - radius, 2 * radius, 2 * radius});
      return covered.w > 0 && covered.h > 0;
    });
  };
  if (place.w > area.w - 2 || place.h > area.h - 2) return {};
  if (!is_free()) place.x = area.x + 1, place.y = area.y + 1;
  if (!is_free()) return {};
  return label;
}

void BoxMarks::name_areas(const Box& room) {
  constexpr std::size_t long_words = 0, short_words = 1;
  std::vector<Label> labels;
  float size = 0;
  for (const auto& [form, wanted] : {std::pair(long_words, label_size(room)),
                                     {short_words, label_size(room)},
                                     {short_words, least_label}}) {
    labels.clear();
    size = wanted;
    bool complete = true;
    for (const Area& area : areas()) {
      const Box at = common(room, place_of(room, area.box));
      if (at.w <= 0 || at.h <= 0) continue;
      const auto label = label_of(room, at, area.words[form], size);
      complete = complete && label;
      if (label) labels.push_back(*label);
    }
    if (complete) break;
    labels.clear();
  }
  for (const Label& label : labels) {
    p_.rect(label.place, {.fill = faded(p_.theme.background, 0.85f), .radius = 4});
    const float pitch = 1.4f * size;
    float y = label.place.y + 1 + pitch / 2;
    for (const std::string& line : label.lines) {
      p_.text({label.place.x + label.place.w / 2, y}, line, p_.theme.text, size, Face::bold, Align::centre);
      y += pitch;
    }
  }
}

Box BoxMarks::extent(const Box& room) const {
  const float radius = mark_radius(room);
  const AreaBox with_corners{std::max(0, box_.top - 1), std::max(0, box_.left - 1), box_.bottom, box_.right};
  const Box cells = common(room, place_of(room, with_corners));
  float left = cells.x, top = cells.y, right = cells.x + cells.w, bottom = cells.y + cells.h;
  for (const Corner& c : corners(room)) {
    left = std::min(left, c.at.x - radius);
    top = std::min(top, c.at.y - radius);
    right = std::max(right, c.at.x + radius);
    bottom = std::max(bottom, c.at.y + radius);
  }
  return {left, top, std::max(0.0f, right - left), std::max(0.0f, bottom - top)};
}

std::vector<BoxMarks::Corner> BoxMarks::corners(const Box& room) const {
  const float radius = mark_radius(room), inset = radius + 1;
  std::vector<Corner> all;
  const auto add = [&](char letter, int row, int column, float dx, float dy) {
    if (row < part_.row || column < part_.column || row >= part_.row + part_.rows ||
        column >= part_.column + part_.columns)
      return;
    const Box cell = place_of(room, {row, column, row, column});
    const Point middle{cell.x + cell.w / 2, cell.y + cell.h / 2};
    all.push_back({letter,
                   middle,
                   {std::clamp(middle.x + radius * dx, room.x + inset, room.x + room.w - inset),
                    std::clamp(middle.y + radius * dy, room.y + inset, room.y + room.h - inset)}});
  };
  add('A', box_.top - 1, box_.left - 1, -1, -1);
  add('B', box_.top - 1, box_.right, 1, -1);
  add('C', box_.bottom, box_.left - 1, -1, 1);
  add('D', box_.bottom, box_.right, 1, 1);
  return all;
}

void BoxMarks::draw_corners(const Box& room, bool written) {
  const Theme& t = p_.theme;
  const float radius = mark_radius(room);
  std::vector<Point> drawn;  // the middles of the drawn letters, because no letter may cover another letter
  for (const Corner& c : corners(room)) {
    const Colour colour = corner_colour(c.letter, t);
    p_.disc(c.cell, 2.5f, colour);
    if (!has_letters(room)) continue;
    if (std::ranges::any_of(drawn, [&](Point d) {
          return std::max(std::abs(d.x - c.at.x), std::abs(d.y - c.at.y)) < 2 * radius;
        }))
      continue;
    drawn.push_back(c.at);
    p_.disc(c.at, radius, colour);
    if (!written) p_.disc(c.at, radius - 1.5f, t.cell);
    p_.text(c.at, std::string(1, c.letter), written ? t.on_now : colour, 1.375f * radius, Face::bold,
            Align::centre);
  }
}

}  // namespace upsweep
