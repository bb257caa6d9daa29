// The box of one lane in the view Warps.
#pragma once
#include <string>

#include "analysis/lanes.hpp"
#include "scene/paint.hpp"

namespace upsweep {

// Draws a lane's state. `size` is the size of its number, or 0 if the number would be illegible. `chosen` is
// false if the lane is active but does not take part in the chosen request.
void lane_box(Painter& p, Box box, LaneState state, const std::string& number, float size,
              bool chosen = true);

}  // namespace upsweep
