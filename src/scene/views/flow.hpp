// Curved arrows, and colours by place or digit, for the views Moves and Keys.
#pragma once
#include <cstdint>

#include "scene/paint.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Returns a mixture of two accents: blue for the share 0, purple for the share 1. Orange is not used, because
// orange means bank conflicts in other views.
Colour range_colour(const Theme& theme, float share);

enum class Course { down, across };  // the direction in which an arrow begins and ends

struct ArrowStyle {
  Colour colour;
  float width = 1.5f;
  float head = 4;  // half of the width of its head; 0 for no head
};
// Draws an arrow. The arrow is straight if both ends are at the same height or one above the other; otherwise
// it is curved.
void draw_arrow(Painter& p, Point from, Point to, Course course, const ArrowStyle& style, const Id& id);

// Returns the access of a lane that moves an element. Views highlight this lane. If the lane belongs to
// another block than the cursor's, `warp` is -1, so that no view highlights a lane of the cursor's block
// instead.
AccessId access_in_block(const ViewInput& in, std::uint32_t event, int lane);

}  // namespace upsweep
