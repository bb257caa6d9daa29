#include "scene/views/flow.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/memory.hpp"

namespace upsweep {

Colour range_colour(const Theme& t, float share) {
  return mix(t.now, t.broadcast, std::clamp(share, 0.0f, 1.0f));
}

void draw_arrow(Painter& p, Point from, Point to, Course course, const ArrowStyle& style, const Id& id) {
  const bool down = course == Course::down;
  const float length = 1.8f * style.head;
  const Point end = down ? Point{to.x, to.y - length} : Point{to.x - length, to.y};
  const float aside = down ? end.x - from.x : end.y - from.y;
  const float along = down ? end.y - from.y : end.x - from.x;
  const int pieces =
      std::abs(aside) < 1 ? 1 : std::clamp(static_cast<int>((std::abs(aside) + along) / 12), 8, 48);
  Point last = from;
  for (int i = 1; i <= pieces; ++i) {
    const float s = static_cast<float>(i) / static_cast<float>(pieces), eased = s * s * (3 - 2 * s);
    const Point next = down ? Point{from.x + aside * eased, from.y + (end.y - from.y) * s}
                            : Point{from.x + (end.x - from.x) * s, from.y + aside * eased};
    p.line(last, next, style.colour, style.width, id);
    last = next;
  }
  if (style.head <= 0) return;
  const float h = style.head;
  if (down) p.triangle({end.x - h, end.y}, {end.x + h, end.y}, to, style.colour);
  else p.triangle({end.x, end.y - h}, {end.x, end.y + h}, to, style.colour);
}

AccessId access_in_block(const ViewInput& in, std::uint32_t event, int lane) {
  const Event& e = in.recording.trace.events[event];
  const bool here = static_cast<int>(e.block) == in.cursor.block &&
                    static_cast<int>(e.grid) == grid_index(in.recording.trace, in.cursor.step);
  return {static_cast<int>(event), here ? static_cast<int>(e.warp) : -1, lane, static_cast<int>(e.line)};
}

}  // namespace upsweep
