// The pen appends shapes to a scene.
#pragma once
#include <string>
#include <string_view>

#include "scene/scene.hpp"

namespace upsweep {

struct RectStyle {
  Colour fill{0, 0, 0, 0}, stroke{0, 0, 0, 0};
  float width = 0, radius = 0;
  bool hatch = false;
};

class Pen {
 public:
  Pen(float width, float height, Colour ground = {0, 0, 0, 0}) {
    scene.width = width;
    scene.height = height;
    scene.background = ground;
  }
  void rect(Box box, const RectStyle& s, const Id& id = {}) {
    scene.shapes.push_back({RectShape{box, s.fill, s.stroke, s.width, s.radius, s.hatch}, id});
  }
  void rect(Box box, Colour fill, float radius = 0) { rect(box, RectStyle{.fill = fill, .radius = radius}); }
  void disc(Point centre, float radius, Colour fill) {
    rect({centre.x - radius, centre.y - radius, 2 * radius, 2 * radius}, fill, radius);
  }
  void line(Point from, Point to, Colour colour, float width = 1, const Id& id = {}) {
    scene.shapes.push_back({LineShape{from, to, colour, width}, id});
  }
  void triangle(Point a, Point b, Point c, Colour colour) {
    scene.shapes.push_back({TriangleShape{a, b, c, colour}, {}});
  }
  void text(Point at, std::string_view text, Colour colour, float size = 13, Face face = Face::regular,
            Align align = Align::left) {
    if (!text.empty())
      scene.shapes.push_back({TextShape{at, std::string(text), colour, size, face, align}, {}});
  }
  void cross(Box box, Colour colour, float width) {
    line({box.x, box.y}, {box.x + box.w, box.y + box.h}, colour, width);
    line({box.x, box.y + box.h}, {box.x + box.w, box.y}, colour, width);
  }
  // Adds a box that reacts to the mouse.
  void target(Box box, const Id& id) { scene.targets.push_back({box, id}); }

  Scene scene;
};

}  // namespace upsweep
