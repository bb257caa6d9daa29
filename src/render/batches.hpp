// Sorts shapes into batches. One draw call draws a whole batch, so a picture needs few draw calls, even if
// boxes and text alternate. Overlapping shapes keep their order.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// A brush draws one kind of shape. The brush NAME uses the shaders shaders/NAME.vert and shaders/NAME.frag.
enum class Brush : std::uint8_t { box, rect, hatch, line, triangle, glyph, grid };
inline constexpr const char* brush_names[] = {"box", "rect", "hatch", "line", "triangle", "glyph", "grid"};
inline constexpr int brushes = 7;

// A rectangle that shaders/common.vert draws. The meaning of a and b depends on the brush.
struct Instance {
  float a[4] = {}, b[4] = {};
  Colour fill{0, 0, 0, 0}, stroke{0, 0, 0, 0};
};

// A box in pixels. The left and the top edge belong to the box. The right and the bottom edge do not belong
// to the box.
struct Extent {
  float left, top, right, bottom;
};

class Batches {
 public:
  struct Batch {
    Brush brush;
    std::vector<Instance> instances;
  };
  // Removes all shapes. The next picture has this size in pixels.
  void clear(int width, int height);
  // Returns the batch to which the instances of a shape must be added. This is an existing batch with the
  // same brush, if this does not change the order of overlapping shapes. Otherwise, it is a new batch.
  // Requires that `extents` cover the shape. Returns null if the whole shape is outside the picture.
  Batch* join(Brush brush, std::span<const Extent> extents);
  Batch* join(Brush brush, const Extent& extent) { return join(brush, std::span(&extent, 1)); }

  int count() const { return used_; }
  const Batch& operator[](int i) const { return batches_[i]; }

 private:
  // `last_` contains one number for each tile of the picture. The number n means that the n-th batch is the
  // last batch with a shape in this tile. 0 means that no batch has a shape in this tile.
  static constexpr int tile = 8;  // the side of a tile in pixels
  int columns_ = 0, rows_ = 0;
  struct Tiles {
    int left, top, right, bottom;
  };
  Tiles tiles(const Extent& extent) const;
  std::vector<int> last_;
  // Only the first `used_` batches contain shapes. Further batches keep their memory for the next picture.
  std::vector<Batch> batches_;
  int used_ = 0;
};

}  // namespace upsweep
