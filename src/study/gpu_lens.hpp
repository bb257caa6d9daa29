// Draws pictures with depth of field on a GPU. A kernel of the catalogue makes the summed-area table. The GPU
// draws each pixel with the same code as the CPU (analysis/lens.hpp).
#pragma once
#include <memory>
#include <string>

#include "analysis/recorded_table.hpp"
#include "machine/gpu/nvrtc.hpp"

namespace upsweep {

// Returns the program with the kernels for drawing. These kernels are not in the catalogue.
Program lens_program();

class GpuLens {
 public:
  GpuLens();  // throws RequestError if no GPU can be used; the error says what is missing
  ~GpuLens();

  // Draws a whole frame: first makes the summed-area table of the scene's colours, and then draws the
  // picture. The picture is the same as the picture of DepthOfField::seen_through().
  //
  // Copies a scene to the GPU only if the previous frame had another scene. Throws WorkError if the GPU
  // fails, and RequestError if the scene is too large.
  LensFrame frame(const std::shared_ptr<const LensScene>& scene, const Lens& lens);
  // Returns how many seconds the GPU worked for the latest frame. LensFrame::seconds also includes the time
  // for starting this work and for copying the picture to the host.
  double seconds_on_gpu() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
