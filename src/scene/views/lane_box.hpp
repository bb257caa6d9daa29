// Draws the box of one lane in the view "Warps".
#pragma once
#include <string>

#include "analysis/lanes.hpp"
#include "scene/paint.hpp"

namespace upsweep {

// Draws a box that shows a lane's state. `size` is the text size of the lane's number; 0 means that the
// number is left out. `chosen` is false if the lane is active, but does not take part in the chosen request.
void lane_box(Painter& p, Box box, LaneState state, const std::string& number, float size,
              bool chosen = true);

}  // namespace upsweep
