// The drawing language: a flat list of shapes with ids. OpenGL, SVG, PDF and the tests all read this list,
// so no picture is computed twice. Lengths are in logical pixels (dp); y grows downwards.
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

// A filled and/or stroked box; the stroke lies inside the box, so that whole-dp boxes have crisp edges.
// hatch: diagonal lines in the stroke's colour over the fill, so that a meaning carried by a colour is
// carried by a pattern too.
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
// A filled triangle: arrow heads and transport marks.
struct TriangleShape {
  Point a, b, c;
  Colour colour;
};
enum class Face : std::uint8_t { regular, bold, mono };
enum class Align : std::uint8_t { left, centre, right };
struct TextShape {
  Point at;          // left, centre or right end of the line, by `align`; vertically the middle of the
                     // lower-case-and-capitals band
  std::string text;  // UTF-8, one line
  Colour colour;
  float size = 13;  // of the em, dp
  Face face = Face::regular;
  Align align = Align::left;
};
// Hatching: lines of this width, this far apart measured along x, rising to the right, in step from shape to
// shape; half transparent, so that a number on top stays legible.
inline constexpr float hatch_width = 1, hatch_period = 6, hatch_opacity = 0.5f;

// Many equal cells, one colour each, row by row from the top: a texture, however many there are.
struct GridShape {
  Box box;
  int columns = 0, rows = 0;
  std::vector<Colour> colours;  // columns * rows
};

struct Shape {
  std::variant<RectShape, LineShape, TriangleShape, TextShape, GridShape> what;
  Id id;
};

struct Scene {
  float width = 0, height = 0;
  Colour background{0, 0, 0, 0};
  std::vector<Shape> shapes;  // painted in order
  // Boxes that react to the mouse, topmost last; kept apart from shapes since what is hit is often larger
  // than what is drawn.
  struct Target {
    Box box;
    Id id;
  };
  std::vector<Target> targets;
};

// The id of the topmost target under a point, or an empty one.
Id hit(const Scene& scene, Point p);

// Width of a line of text in dp. From a table of Inter's and JetBrains Mono's advances, so that scenes do not
// depend on which fonts a machine has; digits and the minus sign (U+2212) all have one width. Face::bold is
// Inter's semi-bold.
float text_width(std::string_view text, float size, Face face);
// The box of a line of text, as high as its capitals.
Box extent_of(const TextShape& text);

// What text_width() adds up and everyone who lays out text goes by: one character's advance, in em.
float advance(char32_t character, Face face);

// Whether a character fills a square, as East Asian ones do: a line may break on either side of it.
bool is_wide(char32_t character);

// Takes the first character off UTF-8 text; U+FFFD for a byte that begins none. `text` must not be empty.
char32_t take_character(std::string_view& text);

// Height of the capitals of both fonts, in em: a text's baseline lies half of it below TextShape::at.
inline constexpr float cap_height = 0.728f;
inline float baseline(const TextShape& t) { return t.at.y + t.size * cap_height / 2; }

}  // namespace upsweep
