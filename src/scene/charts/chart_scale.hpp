// Enlarges charts in large pictures, such as slides, so that people in the last row can read the words.
#pragma once
#include <functional>

#include "scene/charts/charts.hpp"

namespace upsweep {

// Enlarges a chart that is drawn for 1280 × 720 dp, as far as width and height allow. Does not enlarge it in
// a frame that is narrower or lower than that.
Scene draw_magnified(const ChartFrame& frame, const std::function<Scene(const ChartFrame&)>& draw);
// Draws a chart for a frame that is smaller by `factor`, and enlarges it to `frame`. Does not reduce it: a
// factor below 1 counts as 1.
Scene draw_magnified(const ChartFrame& frame, float factor,
                     const std::function<Scene(const ChartFrame&)>& draw);

}  // namespace upsweep
