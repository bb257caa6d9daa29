// Draws curved arrows, and chooses colours for places or digits, for the views "Moves" and "Keys".
#pragma once
#include <cstdint>

#include "scene/paint.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Returns a mixture of blue (`share` 0) and purple (`share` 1). Orange is not used, because orange means bank
// conflicts in other views.
Colour range_colour(const Theme& theme, float share);

enum class Course { down, across };  // the direction in which an arrow begins and ends

struct ArrowStyle {
  Colour colour;
  float width = 1.5f;
  float head = 4;  // half of the width of the arrowhead; 0 for no arrowhead
};
// Draws an arrow. The arrow is straight if its direction is horizontal or vertical, and curved otherwise.
void draw_arrow(Painter& p, Point from, Point to, Course course, const ArrowStyle& style, const Id& id);

// Returns the access of `lane` in `event`. If the lane is in the cursor's block, views highlight the lane.
// Otherwise, the access has the warp -1, so that views highlight no lane.
AccessId access_in_block(const ViewInput& in, std::uint32_t event, int lane);

}  // namespace upsweep
