#include "scene/charts/chart_scale.hpp"

#include <algorithm>

namespace upsweep {
namespace {

class Magnifier {
 public:
  explicit Magnifier(float factor) : factor_(factor) {}

  void operator()(Point& p) const { p = {p.x * factor_, p.y * factor_}; }
  void operator()(Box& b) const { b = {b.x * factor_, b.y * factor_, b.w * factor_, b.h * factor_}; }
  void operator()(RectShape& r) const {
    (*this)(r.box);
    r.stroke_width *= factor_;
    r.radius *= factor_;
  }
  void operator()(LineShape& l) const {
    (*this)(l.from);
    (*this)(l.to);
    l.width *= factor_;
  }
  void operator()(TriangleShape& t) const {
    for (Point* p : {&t.a, &t.b, &t.c}) (*this)(*p);
  }
  void operator()(TextShape& t) const {
    (*this)(t.at);
    t.size *= factor_;
  }
  void operator()(GridShape& g) const { (*this)(g.box); }

 private:
  float factor_;
};

}  // namespace

Scene draw_magnified(const ChartFrame& frame, const std::function<Scene(const ChartFrame&)>& draw) {
  return draw_magnified(frame, std::min(frame.width / 1280, frame.height / 720), draw);
}

Scene draw_magnified(const ChartFrame& frame, float factor,
                     const std::function<Scene(const ChartFrame&)>& draw) {
  if (!(factor > 1)) return draw(frame);
  Scene scene = draw({frame.theme, frame.width / factor, frame.height / factor, frame.hover});
  const Magnifier magnify(factor);
  for (Shape& shape : scene.shapes) std::visit(magnify, shape.what);
  for (Scene::Target& target : scene.targets) magnify(target.box);
  scene.width = frame.width;
  scene.height = frame.height;
  return scene;
}

}  // namespace upsweep
