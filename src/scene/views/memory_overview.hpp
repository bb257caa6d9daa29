// A small picture of the whole shared memory, beside the rows that the view Shared memory shows.
#pragma once
#include <vector>

#include "scene/views/memory_rows.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Draws a dot for every word in the box, one row above the other, and a mark beside each row in `shown`. A
// row has one word for each of `banks` banks.
void draw_memory_overview(ViewPen& p, const Box& box, const MemoryRows& memory, int banks,
                          const std::vector<int>& shown);

}  // namespace upsweep
