#include "scene/views/memory_motion.hpp"

#include <algorithm>

#include "analysis/cell_moves.hpp"
#include "scene/views/cells.hpp"

namespace upsweep {

Motion memory_motion(const ViewInput& in, const MemoryRows& memory, float text_size,
                     const std::function<std::optional<Box>(int)>& box_of,
                     const std::function<std::string(int, const Cell&)>& text_of) {
  const Theme& t = in.theme;
  Motion motion;
  const auto add = [&](const Box& box, Colour fill, Colour stroke, const std::string& text, Colour ink,
                       Point by) {
    const bool plain = stroke == t.cell_stroke;
    motion.push_back({RectShape{box, fill, stroke, plain ? 1.0f : 1.6f, std::min(4.0f, box.w / 4)}, by});
    const float size =
        fitting_size(text, text_size, std::min(text_size, smallest_value(in)), Face::bold, box.w - 1);
    if (text_size >= 9 && text_width(text, size, Face::bold) <= box.w - 1)
      motion.push_back(
          {TextShape{{box.x + box.w / 2, box.y + box.h / 2}, text, ink, size, Face::bold, Align::centre},
           by});
  };
  for (int cell = 0; cell < static_cast<int>(memory.cells().size()); ++cell) {
    const Touch& touch = memory.touch(cell);
    const std::optional<Box> box = touch.written ? box_of(cell) : std::nullopt;
    if (!box) continue;
    if (motion.size() > 4 * most_moving) return {};
    motion.push_back({RectShape{*box, t.background, t.background, 0, 0}});
    add(*box, touch.read ? t.now_soft : t.cell, touch.read ? t.now : t.cell_stroke,
        text_of(cell, memory.before(cell)), touch.read ? t.text : t.faint_text, {});
  }
  for (const CellMove& m : cell_moves(in.recording.trace, in.cursor.block, in.cursor.step, most_moving)) {
    const std::optional<Box> from = box_of(m.from), to = box_of(m.to);
    if (!from || !to) continue;
    Cell read = memory.at(m.from);
    read.value = m.value;
    read.known = true;
    add(*to, t.now_soft, t.now, text_of(m.from, read), t.text, {from->x - to->x, from->y - to->y});
  }
  return motion;
}

}  // namespace upsweep
