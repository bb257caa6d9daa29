// Enlarges charts in large pictures, such as slides, so that people in the last row can read the words.
#pragma once
#include <functional>

#include "scene/charts/charts.hpp"

namespace upsweep {

// Draws a chart in a frame of at most about 1280 × 720 dp and enlarges it to the size of `frame`.
Scene draw_magnified(const ChartFrame& frame, const std::function<Scene(const ChartFrame&)>& draw);
// Enlarges the chart by a factor. A factor below 1 does not change the size.
Scene draw_magnified(const ChartFrame& frame, float factor,
                     const std::function<Scene(const ChartFrame&)>& draw);

}  // namespace upsweep
