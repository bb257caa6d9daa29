#include "scene/paint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "words/names.hpp"

namespace upsweep {

Colour mix(Colour a, Colour b, float share) {
  const auto between = [share](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * share));
  };
  return {between(a.r, b.r), between(a.g, b.g), between(a.b, b.b), between(a.a, b.a)};
}

Colour faded(Colour c, float opacity) {
  c.a = static_cast<std::uint8_t>(std::lround(c.a * opacity));
  return c;
}

std::string cut(std::string_view text, float size, Face face, float room) {
  if (text_width(text, size, face) <= room) return std::string(text);
  const float left = room - text_width("…", size, face);
  if (left < size) return {};
  float used = 0;
  std::string_view rest = text;
  std::string kept;
  while (!rest.empty()) {
    const std::string_view before = rest;
    used += advance(take_character(rest), face) * size;
    if (used > left) break;
    kept += before.substr(0, before.size() - rest.size());
  }
  while (!kept.empty() && kept.back() == ' ') kept.pop_back();
  return kept + "…";
}

std::string first_fitting(std::initializer_list<std::string> ways, float size, Face face, float room) {
  const auto* found = std::find_if(ways.begin(), ways.end(), [&](const std::string& words) {
    return text_width(words, size, face) <= room;
  });
  return found == ways.end() ? *(ways.end() - 1) : *found;
}

std::string cut_name(std::string_view text, float size, Face face, float room) {
  const std::size_t comma = std::min(text.find(", "), text.size());
  const std::string_view variant = text.substr(comma);
  const float left = room - text_width(variant, size, face);
  const bool fits = text_width(text, size, face) <= room;
  return fits || left < room / 5 ? cut(text, size, face, room)
                                 : cut(text.substr(0, comma), size, face, left) + std::string(variant);
}

namespace {
constexpr float titled_height = 72;  // dp; lower views have no title line
}

Painter::Painter(const ViewInput& in) : Painter(in.theme, in.width, in.height) {
  alternatives_ = in.alternatives;
  also_ = in.also;
  hover_ = in.cursor.hover;
  const Hazards* hazards = in.recording.hazards();
  looking_ = hazards == nullptr;
  if (hazards && !hazards->findings.empty())
    warning_ = " " + grouped(static_cast<std::int64_t>(hazards->findings.size()));
  else if (in.recording.mistake) warning_ = ": wrong result";
}

Painter::Painter(const Theme& theme, float width, float height)
    : theme(theme),
      width(width),
      height(height),
      margin(width < 640 ? 16 : 24),
      top(height < titled_height ? 4 : 40) {
  scene.width = width;
  scene.height = height;
  scene.background = theme.background;
}

void Painter::title(std::string_view name, std::string_view what, std::string_view readout, bool quiet) {
  if (height < titled_height) return;
  constexpr float y = 20, gap = 12;
  const float end = width - margin;
  const std::string shown_name = cut(name, 14, Face::bold, end - margin);
  text({margin, y}, shown_name, theme.text, 14, Face::bold);
  float begin = margin + text_width(shown_name, 14, Face::bold) + gap;
  const auto add = [&](const std::string& words, const Id& id, Colour colour) {
    const float w = text_width(words, 13, Face::regular);
    if (begin + w > end) return;
    text({begin, y}, words, hover_ == id ? theme.now : colour);
    target({begin - gap / 2, y - 12, w + gap, 24}, id);
    begin += w + gap;
  };
  const Colour calm = mix(theme.ghost_text, theme.faint_text, 0.5f);
  for (const int view : alternatives_) {
    const View& other = views()[static_cast<std::size_t>(view)];
    const bool is_hazards = other.name == std::string_view("hazards");
    const bool warns = is_hazards && !warning_.empty();
    add(other.title + (warns                    ? warning_
                       : is_hazards && looking_ ? " …"
                                                : ""),
        {.what = Id::What::view, .row = view}, warns ? theme.conflict : calm);
  }
  if (also_) add(also_, {.what = Id::What::timing}, calm);
  if (!alternatives_.empty() || also_) {
    line({begin, y - 6}, {begin, y + 6}, theme.line);
    begin += gap;
  }
  float room = end - begin;
  if (!readout.empty()) {
    const std::string shown = cut(readout, 13, Face::regular, room);
    text({end, y}, shown, quiet ? theme.faint_text : theme.text, 13, Face::regular, Align::right);
    room -= text_width(shown, 13, Face::regular) + 2 * gap;
  }
  // A part of which less than two thirds fit is left out, but for the first.
  std::string_view parts = what;
  for (std::size_t dot = parts.rfind(" · "); dot != std::string_view::npos; dot = parts.rfind(" · ")) {
    const float before = text_width(parts.substr(0, dot), 13, Face::regular),
                whole = text_width(parts, 13, Face::regular);
    if ((before + 2 * whole) / 3 <= room) break;
    parts = parts.substr(0, dot);
  }
  if (room > 48) text({begin, y}, cut(parts, 13, Face::regular, room), theme.faint_text);
}

void Painter::sentence(std::string_view words) {
  text({margin, std::min(top + 12, height / 2 + 8)}, cut(words, 13, Face::regular, width - 2 * margin),
       theme.faint_text);
}

void Painter::rect(Box box, const RectStyle& s, const Id& id) {
  scene.shapes.push_back({RectShape{box, s.fill, s.stroke, s.width, s.radius, s.hatch}, id});
}

void Painter::line(Point from, Point to, Colour colour, float thickness, const Id& id) {
  scene.shapes.push_back({LineShape{from, to, colour, thickness}, id});
}

void Painter::triangle(Point a, Point b, Point c, Colour colour) {
  scene.shapes.push_back({TriangleShape{a, b, c, colour}, {}});
}

void Painter::text(Point at, std::string_view words, Colour colour, float size, Face face, Align align) {
  if (!words.empty())
    scene.shapes.push_back({TextShape{at, std::string(words), colour, size, face, align}, {}});
}

void Painter::cross(Box box, Colour colour, float thickness) {
  line({box.x, box.y}, {box.x + box.w, box.y + box.h}, colour, thickness);
  line({box.x, box.y + box.h}, {box.x + box.w, box.y}, colour, thickness);
}

void Painter::target(Box box, const Id& id) { scene.targets.push_back({box, id}); }

}  // namespace upsweep
