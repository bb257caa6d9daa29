// Makes a picture look as if it was taken with a lens: pixels near the focus are sharp, and all other pixels
// are blurred. Each pixel becomes the mean of a box whose width depends on the pixel's depth. With a
// summed-area table, the cost does not depend on the width.
#pragma once
#include <string>
#include <vector>

#include "analysis/area_table.hpp"
#include "analysis/lens.hpp"
#include "picture/picture.hpp"

namespace upsweep {

// Returns a lens for a picture with `columns` columns. The picture's depths should be similar to the depths
// of small_scene(). The width of the blur is proportional to the width of the picture, so large and small
// pictures look alike.
Lens lens_for(int columns, float focus);

class DepthOfField {
 public:
  // Makes the table of a picture. `depth` has a number for each pixel.
  DepthOfField(Picture colour, std::vector<float> depth);
  // Returns the picture as the lens shows it.
  Picture seen_through(const Lens& lens) const;

  const Picture& colour() const { return colour_; }
  const std::vector<float>& depth() const { return depth_; }

 private:
  Picture colour_;
  AreaTable table_;
  std::vector<float> depth_;
};

// A picture with depth of field, the GPU that drew the picture, and the time that the drawing took.
struct LensFrame {
  Picture picture;        // has no pixels while the picture is still being drawn
  std::string gpu;        // the GPU that drew the picture: "NVIDIA H200"; empty if the CPU drew the picture
  double seconds = 0;     // how long the drawing took
  std::string gpu_error;  // the error of the GPU, as a sentence; empty if there was no error
};

}  // namespace upsweep
