#include "render/painter.hpp"

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"

namespace upsweep {
namespace {

// Rounds the edges of a box to whole pixels. If the rounded box would be empty, returns the box without
// rounding.
Extent on_whole_pixels(Extent e) {
  const Extent whole{std::round(e.left), std::round(e.top), std::round(e.right), std::round(e.bottom)};
  return whole.left < whole.right && whole.top < whole.bottom ? whole : e;
}

bool is_whole(const Extent& e) {
  return e.left == std::round(e.left) && e.right == std::round(e.right) && e.top == std::round(e.top) &&
         e.bottom == std::round(e.bottom);
}

// Returns true if the point is near enough to the picture for exact float arithmetic. Returns false for NaN.
bool is_near(Point p) {
  constexpr float most = 1e6f;  // pixels
  return std::abs(p.x) < most && std::abs(p.y) < most;
}

Extent grown(Extent e, float by) { return {e.left - by, e.top - by, e.right + by, e.bottom + by}; }

Instance instance(const Extent& e, Colour fill) { return {{e.left, e.top, e.right, e.bottom}, {}, fill, {}}; }

Colour faded(Colour c, float opacity) {
  c.a = static_cast<std::uint8_t>(std::lround(c.a * std::clamp(opacity, 0.0f, 1.0f)));
  return c;
}

}  // namespace

Extent InstancePainter::pixels(Box b) const {
  const Point a = pixel({b.x, b.y}), z = pixel({b.x + b.w, b.y + b.h});
  return {a.x, a.y, z.x, z.y};
}

void InstancePainter::add(Brush brush, const Extent& around, const Instance& instance) {
  if (Batches::Batch* batch = batches_.join(brush, around)) batch->instances.push_back(instance);
}

void InstancePainter::operator()(const RectShape& r) {
  const bool stroked = r.stroke.a > 0 && r.stroke_width > 0, hatched = r.hatch && r.stroke.a > 0;
  if (!(r.box.w > 0 && r.box.h > 0) || (r.fill.a == 0 && !stroked && !hatched)) return;
  const float shorter = std::min(r.box.w, r.box.h);
  const float radius = std::min(r.radius, shorter / 2);
  // A circle is not rounded to whole pixels, because rounding could make the circle oval. A circle also needs
  // no rounding, because a circle has no straight edge that could blur.
  const bool round = radius > 0 && radius * 2 >= shorter * 0.99f;
  const Extent e = round ? pixels(r.box) : on_whole_pixels(pixels(r.box));
  Instance in = instance(e, r.fill);
  if (radius <= 0 && !stroked && !hatched && is_whole(e)) return add(Brush::box, e, in);
  in.stroke = r.stroke;
  in.b[0] = radius * scale_;
  in.b[1] = stroked ? std::max(r.stroke_width * scale_, 1.0f) : 0;
  add(hatched ? Brush::hatch : Brush::rect, is_whole(e) ? e : grown(e, 0.5f), in);
}

void InstancePainter::operator()(const LineShape& l) {
  const Point a = pixel(l.from), b = pixel(l.to);
  const float width = l.width * scale_, across = b.x - a.x, down = b.y - a.y;
  if (!(width > 0) || l.colour.a == 0 || !is_near(a) || !is_near(b)) return;
  constexpr float level = 0.01f;
  if (std::abs(across) < level || std::abs(down) < level)
    return level_line(a, b, faded(l.colour, width), width);
  // A long line is divided into pieces with one extent (bounding box) each. A single box around the whole
  // line would contain many tiles that the line does not touch.
  constexpr float piece = 32;
  const int count = std::clamp(static_cast<int>(std::hypot(across, down) / piece) + 1, 1, 256);
  const float half = std::max(width, 1.0f) / 2 + 1;
  pieces_.clear();
  for (int i = 0; i < count; i++) {
    const float t = static_cast<float>(i) / count, u = static_cast<float>(i + 1) / count;
    const Point p{a.x + across * t, a.y + down * t}, q{a.x + across * u, a.y + down * u};
    pieces_.push_back(
        grown({std::min(p.x, q.x), std::min(p.y, q.y), std::max(p.x, q.x), std::max(p.y, q.y)}, half));
  }
  if (Batches::Batch* batch = batches_.join(Brush::line, pieces_))
    batch->instances.push_back({{a.x, a.y, b.x, b.y}, {width}, l.colour, {}});
}

// Draws a vertical or horizontal line. The line is sharp, because its width and its position are whole
// numbers of pixels.
void InstancePainter::level_line(Point a, Point b, Colour colour, float width) {
  const float whole_width = std::max(std::round(width), 1.0f);
  const auto middle = [&](float centre) { return std::round(centre - whole_width / 2) + whole_width / 2; };
  const bool upright = std::abs(b.y - a.y) > std::abs(b.x - a.x);
  if (upright) a = {middle(a.x), std::round(a.y)}, b = {a.x, std::round(b.y)};
  else a = {std::round(a.x), middle(a.y)}, b = {std::round(b.x), a.y};
  if (a == b) return;
  const float half = whole_width / 2;
  const Extent e = upright ? Extent{a.x - half, std::min(a.y, b.y), a.x + half, std::max(a.y, b.y)}
                           : Extent{std::min(a.x, b.x), a.y - half, std::max(a.x, b.x), a.y + half};
  add(Brush::line, e, {{a.x, a.y, b.x, b.y}, {whole_width}, colour, {}});
}

void InstancePainter::operator()(const TriangleShape& t) {
  const Point a = pixel(t.a), b = pixel(t.b), c = pixel(t.c);
  const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (t.colour.a == 0 || !(std::abs(area) > 0.01f) || !is_near(a) || !is_near(b) || !is_near(c)) return;
  const Extent e{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::max({a.x, b.x, c.x}),
                 std::max({a.y, b.y, c.y})};
  add(Brush::triangle, grown(e, 0.5f), {{a.x, a.y, b.x, b.y}, {c.x, c.y}, t.colour, {}});
}

void InstancePainter::operator()(const TextShape& t) {
  const float size = t.size * scale_;
  // The largest size of glyphs in pixels per em. No display needs larger glyphs, and larger glyphs would need
  // too much memory.
  constexpr float largest = 1024;
  if (!(size > 0 && size <= largest) || t.colour.a == 0 || !is_near(pixel(t.at))) return;
  float pen = pixel(t.at).x;
  if (t.align != Align::left || !atlas_.fonts().any()) {
    const float width = text_width(t.text, size, t.face);
    if (t.align != Align::left) pen -= t.align == Align::centre ? width / 2 : width;
    if (!atlas_.fonts().any()) return bar(t, pen, width);
  }
  const float base = std::round(pixel({0, baseline(t)}).y);
  line_of_text_.clear();
  Extent around{1e9f, 1e9f, -1e9f, -1e9f};
  for (std::string_view rest = t.text; !rest.empty();) {
    const char32_t c = take_character(rest);
    const int place =
        static_cast<int>(std::lround((pen + atlas_.bearing(c, t.face) * size) * GlyphAtlas::shifts));
    const int shift = place & (GlyphAtlas::shifts - 1);
    const GlyphAtlas::Glyph& g = atlas_.glyph(c, t.face, size, shift);
    pen += advance(c, t.face) * size;
    if (g.width == 0) continue;
    const float left = static_cast<float>((place - shift) / GlyphAtlas::shifts + g.left), top = base - g.top;
    const Extent e{left, top, left + g.width, top + g.height};
    line_of_text_.push_back({{e.left, e.top, e.right, e.bottom},
                             {static_cast<float>(g.x), static_cast<float>(g.y)},
                             t.colour,
                             {}});
    around = {std::min(around.left, e.left), std::min(around.top, e.top), std::max(around.right, e.right),
              std::max(around.bottom, e.bottom)};
  }
  if (line_of_text_.empty()) return;
  if (Batches::Batch* batch = batches_.join(Brush::glyph, around))
    batch->instances.insert(batch->instances.end(), line_of_text_.begin(), line_of_text_.end());
}

// Draws a bar that is as long as the text. Used if no font was found.
void InstancePainter::bar(const TextShape& t, float left, float width) {
  const float middle = pixel(t.at).y, half = t.size * scale_ * 0.15f;
  const Extent e = on_whole_pixels({left, middle - half, left + width, middle + half});
  add(Brush::box, e, instance(e, faded(t.colour, 0.4f)));
}

void InstancePainter::operator()(const GridShape& g) {
  if (g.columns <= 0 || g.rows <= 0 || !(g.box.w > 0 && g.box.h > 0)) return;
  const Extent e = on_whole_pixels(pixels(g.box));
  Instance in = instance(e, {});
  in.b[0] = static_cast<float>(g.columns);
  in.b[1] = static_cast<float>(g.rows);
  in.b[2] = static_cast<float>(cells_.size());
  cells_.insert(cells_.end(), g.colours.begin(), g.colours.end());
  add(Brush::grid, e, in);
}

}  // namespace upsweep
