// Draws the picture that comes with Upsweep: four spheres on a chequered floor. The depth of every pixel is
// known.
#pragma once
#include <vector>

#include "base/job.hpp"
#include "picture/picture.hpp"

namespace upsweep {

struct SmallScene {
  Picture colour;            // red, green, blue
  std::vector<float> depth;  // the depth of each pixel along the camera's axis; at most farthest_depth
};

// The depths of the spheres' centres, from the left sphere to the right sphere. The sky has the depth
// farthest_depth.
inline constexpr float sphere_depths[] = {3.5f, 4.5f, 6.5f, 9};
inline constexpr float farthest_depth = 20;

// Returns the scene at any size. Two calls with the same size return equal scenes. Throws Cancelled if the
// job is cancelled.
SmallScene small_scene(int rows, int columns, const Job* job = nullptr);

}  // namespace upsweep
