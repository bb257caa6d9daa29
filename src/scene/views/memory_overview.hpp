// Small pictures of the whole shared memory, and of all wavefronts of a request, beside the rows that a view
// shows.
#pragma once
#include <string>
#include <vector>

#include "scene/views/memory_rows.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Draws a grid with a heading above it, and a mark beside each row in `shown`.
void draw_overview(ViewPen& p, GridShape grid, const std::string& heading, const std::vector<int>& shown);

// The colours of an overview. A conflict has much more contrast to the background than everything else, so
// readers see it without colour.
struct OverviewColours {
  explicit OverviewColours(const Theme& theme);
  Colour unused, padding, read, written, conflict;
};

// Draws a dot for every word in the box, one row above the other, and a mark beside each row in `shown`. A
// row has one word for each of `banks` banks.
void draw_memory_overview(ViewPen& p, const Box& box, const MemoryRows& memory, int banks,
                          const std::vector<int>& shown);

}  // namespace upsweep
