// Converts the shapes of a scene into instances in pixels. Does not call OpenGL.
#pragma once
#include <vector>

#include "render/atlas.hpp"
#include "render/batches.hpp"
#include "scene/scene.hpp"

namespace upsweep {

class InstancePainter {
 public:
  // The point (x, y) dp of a scene becomes the pixel origin + (x, y) * scale.
  InstancePainter(Batches& batches, GlyphAtlas& atlas, std::vector<Colour>& cells, Point origin, float scale)
      : batches_(batches), atlas_(atlas), cells_(cells), origin_(origin), scale_(scale) {}

  void operator()(const RectShape& rect);
  void operator()(const LineShape& line);
  void operator()(const TriangleShape& triangle);
  void operator()(const TextShape& text);
  void operator()(const GridShape& grid);

 private:
  Point pixel(Point p) const { return {origin_.x + p.x * scale_, origin_.y + p.y * scale_}; }
  Extent pixels(Box b) const;
  void add(Brush brush, const Extent& around, const Instance& instance);
  void level_line(Point a, Point b, Colour colour, float width);
  void bar(const TextShape& text, float left, float width);

  Batches& batches_;
  GlyphAtlas& atlas_;
  std::vector<Colour>& cells_;  // the colours of all GridShapes, one GridShape after another
  Point origin_;
  float scale_;
  std::vector<Extent> pieces_;
  std::vector<Instance> line_of_text_;
};

}  // namespace upsweep
