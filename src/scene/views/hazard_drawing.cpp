#include "scene/views/hazard_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "words/hidden_answer.hpp"
#include "words/names.hpp"

namespace upsweep {

const HazardFinding HazardPen::no_finding{};
const Incident HazardPen::no_incident{};

float HazardPen::size_in(const Box& box, float columns, float rows) {
  return std::clamp(std::min(box.w / columns, box.h / rows), 11.5f, 34.0f);
}

float HazardPen::say(Point at, const std::string& text, float room, Colour colour, float text_size,
                     Face face) const {
  const std::string shown = cut(text, text_size, face, room);
  p.text(at, shown, colour, text_size, face);
  return text_width(shown, text_size, face);
}

void HazardPen::chip(const Box& at, const std::string& text, bool writes, float text_size) const {
  p.rect(at, {.fill = writes ? t.now : t.now_soft, .stroke = t.now, .width = stroke(), .radius = 4});
  const std::string shown = cut(text, text_size, Face::bold, at.w - 6);
  p.text({at.x + at.w / 2, at.y + at.h / 2}, shown, writes ? t.on_now : t.text, text_size, Face::bold,
         Align::centre);
}

std::string HazardPen::line_text(int line) const {
  return fmt::format("{}  {}", line, source_line(trace.text, line));
}

void draw_hazard(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i) {
  constexpr float least_width = 260, least_height = 64;
  if (box.w < least_width || box.h < least_height) return;
  if (i.orders) return draw_race(p, in, box, f, i);
  switch (f.kind) {
    case Hazard::divergent_barrier:
    case Hazard::deadlock: return draw_waiting(p, in, box, f, i);
    case Hazard::endless_loop: return draw_rounds(p, in, box, f, i);
    case Hazard::absent_lane:
    case Hazard::wrong_mask: return draw_lanes(p, in, box, f, i);
    case Hazard::out_of_bounds: return draw_memory_end(p, in, box, f, i);
    case Hazard::uninitialised_read: return draw_unwritten(p, in, box, f, i);
    case Hazard::misaligned: return draw_alignment(p, in, box);
    case Hazard::endless_launches: return draw_launch_depths(p, in, box);
    case Hazard::shared_race:
    case Hazard::global_race: break;
  }
}

}  // namespace upsweep
