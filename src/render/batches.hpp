// Sorts shapes into batches that can be drawn at once, so that no shape changes places with one it overlaps:
// painter's order in few draw calls, though views draw box, text, box, text.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// What shapes are painted with; each has its shaders/NAME.vert and .frag.
enum class Brush : std::uint8_t { box, rect, hatch, line, triangle, glyph, grid };
inline constexpr const char* brush_names[] = {"box", "rect", "hatch", "line", "triangle", "glyph", "grid"};
inline constexpr int brushes = 7;

// One quad, as shaders/common.vert reads it; what a and b are is up to each brush.
struct Instance {
  float a[4] = {}, b[4] = {};
  Colour fill{0, 0, 0, 0}, stroke{0, 0, 0, 0};
};

// Pixels, right and bottom excluded.
struct Extent {
  float left, top, right, bottom;
};

class Batches {
 public:
  struct Batch {
    Brush brush;
    std::vector<Instance> instances;
  };
  // Forgets all shapes; the next ones lie in a picture of this many pixels.
  void clear(int width, int height);
  // The batch to add a shape's instances to: the first with its brush from the last one on that holds
  // anything near it. The extents together cover the shape. Null if all of it lies outside the picture.
  Batch* join(Brush brush, std::span<const Extent> extents);
  Batch* join(Brush brush, const Extent& extent) { return join(brush, std::span(&extent, 1)); }

  int count() const { return used_; }
  const Batch& operator[](int i) const { return batches_[i]; }

 private:
  // The picture in tiles; each knows the last batch that reaches it, counted from 1.
  static constexpr int tile = 8;  // pixels
  int columns_ = 0, rows_ = 0;
  struct Tiles {
    int left, top, right, bottom;
  };
  Tiles tiles(const Extent& extent) const;
  std::vector<int> last_;
  std::vector<Batch> batches_;  // the first used_ of them; the rest keep their memory for the next picture
  int used_ = 0;
};

}  // namespace upsweep
