// Makes a picture look as if it was taken with a lens: pixels near the focus are sharp, and all others are
// blurred. Each pixel becomes the mean of a box whose width depends on the pixel's depth. With a summed-area
// table, every width costs the same.
#pragma once
#include <span>
#include <vector>

#include "analysis/area_table.hpp"
#include "picture/picture.hpp"

namespace upsweep {

struct Lens {
  float focus = 0;      // the depth that is sharp
  float blur = 0;       // how fast reach_of() grows: pixels for each unit of depth from the focus
  int most_reach = 16;  // the largest reach of a box, in pixels
};

// Returns a lens for a picture of this width, with depths like those of the small scene. Wider pictures get a
// proportionally wider blur, so they look the same.
Lens lens_for(int columns, float focus);

// Returns how many pixels the box around a pixel of this depth has on each side of that pixel.
int reach_of(const Lens& lens, float depth);

class DepthOfField {
 public:
  // Makes the table of a picture. `depth` has a number for each pixel.
  DepthOfField(const Picture& colour, std::vector<float> depth);
  // Returns the picture as the lens shows it.
  Picture seen_through(const Lens& lens) const;

 private:
  AreaTable table_;
  int channels_ = 0;
  std::vector<float> depth_;
};

}  // namespace upsweep
