// Curved arrows, and colours by place or digit, for the views Moves and Keys.
#pragma once
#include "scene/paint.hpp"

namespace upsweep {

// Returns the colour of the share 0 to 1 of a range, between two accents. Orange is not used, because orange
// means bank conflicts in the views beside.
Colour range_colour(const Theme& theme, float share);

enum class Course { down, across };  // the direction in which an arrow begins and ends

struct ArrowStyle {
  Colour colour;
  float width = 1.5f;
  float head = 4;  // half of the width of its head; 0 for no head
};
// Draws an arrow. It is a straight line if it has no way to go sideways.
void draw_arrow(Painter& p, Point from, Point to, Course course, const ArrowStyle& style, const Id& id);

}  // namespace upsweep
