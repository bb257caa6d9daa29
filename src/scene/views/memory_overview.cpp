#include "scene/views/memory_overview.hpp"

#include <fmt/format.h>

#include "base/language.hpp"
#include "words/names.hpp"

namespace upsweep {

OverviewColours::OverviewColours(const Theme& t)
    : unused(mix(t.background, t.ghost_text, t.dark ? 0.35f : 0.3f)),
      padding(mix(t.background, t.ghost_text, 0.1f)),
      read(mix(t.background, t.now, 0.38f)),
      written(mix(t.background, t.now, 0.5f)),
      conflict(t.conflict) {}

void draw_overview(ViewPen& p, GridShape grid, const std::string& heading, const std::vector<int>& shown) {
  p.text({grid.box.x, p.top + 6}, heading, p.theme.faint_text, 11);
  const float h = grid.box.h / static_cast<float>(grid.rows);
  for (const int r : shown)
    p.rect({grid.box.x - 6, grid.box.y + h * static_cast<float>(r), 3, h}, {.fill = p.theme.faint_text});
  p.scene.shapes.push_back({std::move(grid), {}});
}

void draw_memory_overview(ViewPen& p, const Box& box, const MemoryRows& memory, int banks,
                          const std::vector<int>& shown) {
  const OverviewColours colours(p.theme);
  GridShape grid{box, banks, memory.rows(), {}};
  grid.colours.assign(static_cast<std::size_t>(banks) * memory.rows(), Colour{0, 0, 0, 0});
  for (int cell = 0; cell < static_cast<int>(memory.cells().size()); cell++) {
    const Touch& touch = memory.touch(cell);
    Colour colour = memory.at(cell).element < 0 ? colours.padding : colours.unused;
    if (touch.conflict) colour = colours.conflict;
    else if (touch.written) colour = colours.written;
    else if (touch.read) colour = colours.read;
    for (int w = 0; w < memory.words_of(cell); w++)
      if (const std::size_t word = memory.first_word(cell) + static_cast<std::uint32_t>(w);
          word < grid.colours.size())
        grid.colours[word] = colour;
  }
  draw_overview(p, std::move(grid), tr("all {}", counted(memory.rows(), "row")), shown);
}

}  // namespace upsweep
