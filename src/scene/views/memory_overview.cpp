#include "scene/views/memory_overview.hpp"

#include <fmt/format.h>

#include "words/names.hpp"

namespace upsweep {

void draw_memory_overview(ViewPen& p, const Box& box, const MemoryRows& memory, int banks,
                          const std::vector<int>& shown) {
  const Theme& t = p.theme;
  GridShape grid{box, banks, memory.rows(), {}};
  grid.colours.assign(static_cast<std::size_t>(banks) * memory.rows(), Colour{0, 0, 0, 0});
  const Colour unused = mix(t.background, t.ghost_text, t.dark ? 0.35f : 0.3f),
               pad = mix(t.background, t.ghost_text, 0.1f);
  for (int cell = 0; cell < static_cast<int>(memory.cells().size()); cell++) {
    const Touch& touch = memory.touch(cell);
    Colour colour = memory.at(cell).element < 0 ? pad : unused;
    if (touch.conflict) colour = t.conflict;
    else if (touch.written) colour = t.now;
    else if (touch.read) colour = mix(t.now_soft, t.now, 0.6f);
    for (int w = 0; w < memory.words_of(cell); w++)
      if (const std::size_t word = memory.first_word(cell) + static_cast<std::uint32_t>(w);
          word < grid.colours.size())
        grid.colours[word] = colour;
  }
  p.text({box.x, p.top + 6}, fmt::format("all {}", counted(memory.rows(), "row")), t.faint_text, 11);
  const float h = box.h / static_cast<float>(memory.rows());
  for (const int r : shown)
    p.rect({box.x - 6, box.y + h * static_cast<float>(r), 3, h}, {.fill = t.faint_text});
  p.scene.shapes.push_back({std::move(grid), {}});
}

}  // namespace upsweep
