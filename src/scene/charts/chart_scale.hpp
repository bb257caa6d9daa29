// Magnifies charts of large pictures, such as slides, so that people in the last row can read the words.
#pragma once
#include <functional>

#include "scene/charts/charts.hpp"

namespace upsweep {

// Draws into a frame of at most about 1280 × 720 and magnifies the result to the size of `frame`.
Scene draw_magnified(const ChartFrame& frame, const std::function<Scene(const ChartFrame&)>& draw);
// Magnifies by a factor, or does not magnify if the factor is below 1.
Scene draw_magnified(const ChartFrame& frame, float factor,
                     const std::function<Scene(const ChartFrame&)>& draw);

}  // namespace upsweep
