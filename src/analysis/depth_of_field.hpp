// Makes a picture look as if it was taken with a lens: pixels near the focus are sharp, and all
// others are blurred.
// Each pixel is the mean of a box whose width depends on the pixel's depth. With a summed-area table, every
// width costs the same.
#pragma once
#include <span>
#include <vector>

#include "analysis/area_table.hpp"
#include "picture/picture.hpp"

namespace upsweep {

struct Lens {
  float focus = 0;      // the depth that is sharp
  float blur = 0;       // pixels that a box reaches for each unit of depth between a pixel and the focus
  int most_reach = 16;  // the largest reach of a box, in pixels
};

// Returns a lens whose blur looks the same at every width of the picture, if its depths are those of the
// small scene.
Lens lens_for(int columns, float focus);

// Returns the reach of the box around a pixel with this depth: the pixels on each side of the middle.
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
