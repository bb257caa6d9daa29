// The picture that comes with Upsweep: four spheres on a chequered floor, with the depth of every pixel.
#pragma once
#include <vector>

#include "base/job.hpp"
#include "picture/picture.hpp"

namespace upsweep {

struct SmallScene {
  Picture colour;            // red, green, blue
  std::vector<float> depth;  // of each pixel, along the camera's axis; at most farthest_depth
};

// The spheres' centres have these depths, from left to right. The sky is at the farthest depth.
inline constexpr float sphere_depths[] = {3.5f, 4.5f, 6.5f, 9};
inline constexpr float farthest_depth = 20;

// Returns the scene at any size. Scenes of one size are always equal. Throws Cancelled if the job is
// cancelled.
SmallScene small_scene(int rows, int columns, const Job* job = nullptr);

}  // namespace upsweep
