// Enlarges the text and the lines of charts in large pictures, so that a whole audience can read a slide.
#pragma once
#include <functional>

#include "scene/charts/charts.hpp"

namespace upsweep {

// Draws a chart for a small frame, and enlarges the drawing to the size of `frame`. The factor is the smaller
// of width / 1280 dp and height / 720 dp, but at least 1.
Scene draw_magnified(const ChartFrame& frame, const std::function<Scene(const ChartFrame&)>& draw);
// Draws a chart with the size width / factor by height / factor. Then enlarges the drawing to the size of
// `frame`. A factor below 1 has the effect of 1.
Scene draw_magnified(const ChartFrame& frame, float factor,
                     const std::function<Scene(const ChartFrame&)>& draw);

}  // namespace upsweep
