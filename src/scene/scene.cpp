#include "scene/scene.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/utf8.hpp"

namespace upsweep {
namespace {

struct Advance {
  char32_t character;
  std::int16_t regular, bold;  // advances in thousandths of the em
};
#define X(character, regular, bold) {character, regular, bold},
constexpr Advance advances[] = {
#include "scene/advances.inc"
};
#undef X
constexpr std::size_t ascii = 95;  // the number of printable ASCII characters, from the space to the tilde
static_assert(advances[0].character == ' ' && advances[ascii - 1].character == '~');

// Returns true for a combining mark, which is drawn on the previous character.
bool is_combining(char32_t c) { return (c >= 0x300 && c <= 0x36f) || (c >= 0x20d0 && c <= 0x20f0); }

}  // namespace

bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe4f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

namespace {

int thousandths(char32_t c, Face face) {
  constexpr int ordinary = 600, mono = 600, regular_digit = 625, bold_digit = 650;
  if (is_combining(c) || c < 0x20) return 0;
  if (face == Face::mono) return is_wide(c) ? 2 * mono : mono;
  const bool bold = face == Face::bold;
  if ((c >= '0' && c <= '9') || c == U'−') return bold ? bold_digit : regular_digit;
  const Advance* found =
      c < 0x7f ? &advances[c - 0x20]
               : std::lower_bound(std::begin(advances) + ascii, std::end(advances), c,
                                  [](const Advance& a, char32_t wanted) { return a.character < wanted; });
  if (found != std::end(advances) && found->character == c) return bold ? found->bold : found->regular;
  return is_wide(c) ? 1000 : ordinary;
}

}  // namespace

namespace {

// Divides [begin, begin + size) into `parts` equal parts, and returns the index of the part that contains x.
int part_at(float x, float begin, float size, int parts) {
  const float share = (x - begin) / size;
  return std::clamp(static_cast<int>(share * static_cast<float>(parts)), 0, std::max(parts - 1, 0));
}

Id at_place(const Scene::Target& target, Point p) {
  const Box& box = target.box;
  if (const auto* all = as<PixelId>(target.id))
    return PixelId{all->row + part_at(p.y, box.y, box.h, all->rows),
                   all->column + part_at(p.x, box.x, box.w, all->columns)};
  if (const auto* slider = as<SliderId>(target.id))
    return SliderId{slider->view, slider->slider, part_at(p.x, box.x, box.w, slider_end + 1)};
  return target.id;
}

}  // namespace

void append_moved(Scene& to, Scene from, float x, float y) {
  const auto box = [&](Box& b) { b.x += x, b.y += y; };
  const auto point = [&](Point& p) { p.x += x, p.y += y; };
  for (Shape& shape : from.shapes) {
    std::visit(
        [&](auto& s) {
          if constexpr (requires { s.box; }) box(s.box);
          else if constexpr (requires { s.from; }) point(s.from), point(s.to);
          else if constexpr (requires { s.at; }) point(s.at);
          else point(s.a), point(s.b), point(s.c);
        },
        shape.what);
    to.shapes.push_back(std::move(shape));
  }
  for (Scene::Target& t : from.targets) {
    box(t.box);
    to.targets.push_back(std::move(t));
  }
}

Id hit(const Scene& scene, Point p) {
  for (auto target = scene.targets.rbegin(); target != scene.targets.rend(); ++target)
    if (target->box.contains(p)) return at_place(*target, p);
  return {};
}

Id dragged_to(const Scene& scene, Point from, Point to) {
  for (auto target = scene.targets.rbegin(); target != scene.targets.rend(); ++target)
    if (target->box.contains(from)) return at_place(*target, to);
  return {};
}

float advance(char32_t character, Face face) {
  return static_cast<float>(thousandths(character, face)) / 1000;
}

float text_width(std::string_view text, float size, Face face) {
  int sum = 0;
  while (!text.empty()) sum += thousandths(take_character(text), face);
  return static_cast<float>(sum) * size / 1000;
}

Box extent_of(const TextShape& t) {
  const float w = text_width(t.text, t.size, t.face), h = t.size * cap_height;
  const float x = t.align == Align::left ? t.at.x : t.align == Align::centre ? t.at.x - w / 2 : t.at.x - w;
  return {x, t.at.y - h / 2, w, h};
}

}  // namespace upsweep
