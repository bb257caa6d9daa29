// A scene is a flat list of shapes with ids. OpenGL, SVG, PDF and the tests read this list. Lengths are in
// logical pixels (dp). y grows downwards.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scene/id.hpp"

namespace upsweep {

struct Point {
  float x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

struct Box {
  float x = 0, y = 0, w = 0, h = 0;
  bool contains(Point p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
  bool operator==(const Box&) const = default;
};

struct Colour {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Colour&) const = default;
};

// A box with a fill, a stroke or both. The stroke is inside the box, so that a box with edges at whole dp has
// sharp edges.
//
// If `hatch` is true, diagonal lines in the stroke's colour cover the fill, so that readers can understand
// the picture without the colours.
struct RectShape {
  Box box;
  Colour fill{0, 0, 0, 0}, stroke{0, 0, 0, 0};
  float stroke_width = 0, radius = 0;
  bool hatch = false;
};
struct LineShape {
  Point from, to;
  Colour colour;
  float width = 1;
};
struct TriangleShape {
  Point a, b, c;
  Colour colour;
};
enum class Face : std::uint8_t { regular, bold, mono };
enum class Align : std::uint8_t { left, centre, right };
struct TextShape {
  // The left end, the centre or the right end of the line, as `align` says. The y is at half the height of
  // the capitals.
  Point at;
  std::string text;  // UTF-8, one line
  Colour colour;
  float size = 13;  // the em in dp
  Face face = Face::regular;
  Align align = Align::left;
};
// The width of hatching lines in dp, the distance between two lines along x in dp, and the opacity of the
// lines. The lines rise to the right and continue across neighbouring shapes. The lines are half transparent,
// so that a number under the lines stays legible.
inline constexpr float hatch_width = 1, hatch_period = 6, hatch_opacity = 0.5f;

// A grid of cells of equal size. Each cell has one colour.
struct GridShape {
  Box box;
  int columns = 0, rows = 0;
  std::vector<Colour> colours;  // one colour for each cell, row by row from the top
};

struct Shape {
  std::variant<RectShape, LineShape, TriangleShape, TextShape, GridShape> what;
  Id id;
};

struct Scene {
  float width = 0, height = 0;
  Colour background{0, 0, 0, 0};
  std::vector<Shape> shapes;  // later shapes are painted over earlier shapes
  // Boxes that react to the mouse, sorted from the lowest to the topmost. Targets are separate from shapes,
  // because a target is often larger than its shape.
  struct Target {
    Box box;
    Id id;
  };
  std::vector<Target> targets;
  // Boxes that a tooltip must not cover, because the tooltip explains the contents of these boxes.
  std::vector<Box> keep_clear{};
};

// Adds the shapes and targets of a scene to another scene, moved by x and y dp.
void append_moved(Scene& to, Scene from, float x, float y);

// Returns the id of the topmost target under a point, or an empty id. If the target is a picture, the id
// names the pixel under the point. If the target is a slider, the id names the slider's place under the
// point.
Id hit(const Scene& scene, Point p);
// Returns the id for a drag from one point to another: the id of the topmost target under `from`. If this
// target is a picture or a slider, the id names the pixel or the slider's place that is nearest to `to`.
Id dragged_to(const Scene& scene, Point from, Point to);

// Returns the width of a line of text in dp. The width is the sum of stored advances of Inter and JetBrains
// Mono, so that scenes are equal on machines with different fonts.
//
// All digits and the minus sign (U+2212) have the same width. Face::bold is Inter's semi-bold.
float text_width(std::string_view text, float size, Face face);
// Returns the box of a line of text. The box is as high as the capitals.
Box extent_of(const TextShape& text);

// Returns the advance of one character as a multiple of the font size. text_width() adds up these advances.
float advance(char32_t character, Face face);

// Returns true if the character fills a square, like East Asian characters and emoji.
bool is_wide(char32_t character);

// The height of capitals as a fraction of the font size, for both fonts. TextShape::at is at the middle of
// the capitals, so the baseline of a text is half of this height below TextShape::at.
inline constexpr float cap_height = 0.728f;
inline float baseline(const TextShape& t) { return t.at.y + t.size * cap_height / 2; }

}  // namespace upsweep
