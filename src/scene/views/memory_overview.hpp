// Draws small pictures beside the rows that a view shows: a picture of the whole shared memory, or of all
// wavefronts of a request.
#pragma once
#include <string>
#include <vector>

#include "scene/views/memory_rows.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Draws a grid with a heading above. Marks each row of the grid that is in `shown`.
void draw_overview(ViewPen& p, GridShape grid, const std::string& heading, const std::vector<int>& shown);

// The colours of an overview. The colour of a conflict has much more contrast to the background than the
// other colours, so that readers see the conflict even without colours.
struct OverviewColours {
  explicit OverviewColours(const Theme& theme);
  Colour unused, padding, read, written, conflict;
};

// Draws one dot for each word of the memory into the box, row by row. A row contains one word for each of
// `banks` banks. Marks each row that is in `shown`.
void draw_memory_overview(ViewPen& p, const Box& box, const MemoryRows& memory, int banks,
                          const std::vector<int>& shown);

}  // namespace upsweep
