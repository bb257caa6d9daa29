#include "scene/motion.hpp"

#include <algorithm>

namespace upsweep {

void add_motion(Scene& to, const Motion& motion, float time, float x, float y) {
  for (const MovingShape& m : motion) {
    if (time < m.begin || time >= m.end) continue;
    // The motion is slow at the start and at the end, so that the eye can follow the shapes.
    const float done = std::clamp((time - m.begin) / (m.end - m.begin), 0.0f, 1.0f),
                left = 1 - done * done * (3 - 2 * done);
    const Point moved{x + m.by.x * left, y + m.by.y * left};
    std::visit(
        [&](auto shape) {
          if constexpr (requires { shape.box; }) shape.box.x += moved.x, shape.box.y += moved.y;
          else shape.at.x += moved.x, shape.at.y += moved.y;
          to.shapes.push_back({std::move(shape), {}});
        },
        m.shape);
  }
}

}  // namespace upsweep
