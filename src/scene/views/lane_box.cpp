#include "scene/views/lane_box.hpp"

#include <algorithm>

namespace upsweep {

void lane_box(Painter& p, Box box, LaneState state, const std::string& number, float size, bool chosen) {
  const Theme& t = p.theme;
  const float radius = std::min(4.0f, box.h / 4), cx = box.x + box.w / 2, cy = box.y + box.h / 2;
  const Colour quiet = mix(t.background, t.ghost_text, t.dark ? 0.16f : 0.24f);
  switch (state) {
    case LaneState::working:
      p.rect(box, {.fill = !chosen    ? t.background
                           : size > 0 ? t.now_soft
                                      : t.now,
                   .stroke = t.now,
                   .width = chosen ? 1.4f : 0.7f,
                   .radius = radius});
      if (size > 0)
        p.text({cx, cy}, number, chosen ? t.now : t.faint_text, std::min(size, box.h - 1.5f),
               chosen ? Face::bold : Face::regular, Align::centre);
      break;
    case LaneState::masked:
      p.rect(
          box,
          {.fill = quiet, .stroke = mix(t.background, t.ghost_text, 0.85f), .radius = radius, .hatch = true});
      break;
    case LaneState::waiting: {
      p.rect(box, {.fill = quiet, .radius = radius});
      const float r = std::clamp(std::min(box.w, box.h) * 0.12f, 1.0f, 2.0f);
      p.rect({cx - r, cy - r, 2 * r, 2 * r}, {.fill = t.faint_text, .radius = r});
      break;
    }
    case LaneState::exited: {
      const float r = std::clamp(std::min(box.w, box.h) * 0.22f, 1.5f, 4.0f);
      p.cross({cx - r, cy - r, 2 * r, 2 * r}, t.ghost_text, 1);
      break;
    }
    case LaneState::absent: break;
  }
}

}  // namespace upsweep
