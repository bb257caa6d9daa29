// A scene in the making: shapes in the theme's colours.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/theme.hpp"

namespace upsweep {

// Words of `text` in lines no wider than `room`.
std::vector<std::string> wrapped(const std::string& text, float size, Face face, float room);

struct Sketch {
  Scene scene;

  Sketch(float width, float height, Colour ground = {0, 0, 0, 0}) {
    scene.width = width;
    scene.height = height;
    scene.background = ground;
  }
  void rect(Box box, Colour fill, float radius = 0, Colour stroke = {0, 0, 0, 0}, float stroke_width = 0) {
    scene.shapes.push_back({RectShape{box, fill, stroke, stroke_width, radius, false}, {}});
  }
  void disc(Point centre, float radius, Colour fill) {
    rect({centre.x - radius, centre.y - radius, 2 * radius, 2 * radius}, fill, radius);
  }
  void line(Point from, Point to, Colour colour, float width = 1) {
    scene.shapes.push_back({LineShape{from, to, colour, width}, {}});
  }
  void triangle(Point a, Point b, Point c, Colour colour) {
    scene.shapes.push_back({TriangleShape{a, b, c, colour}, {}});
  }
  void text(Point at, std::string_view words, Colour colour, float size, Face face = Face::regular,
            Align align = Align::left) {
    scene.shapes.push_back({TextShape{at, std::string(words), colour, size, face, align}, {}});
  }
};

}  // namespace upsweep
