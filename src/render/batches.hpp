// Sorts shapes into batches, so that few draw calls are enough, although views alternate between boxes and
// text. One call draws a batch. Overlapping shapes keep their order.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// Each brush draws one kind of shape, with the shaders shaders/NAME.vert and shaders/NAME.frag.
enum class Brush : std::uint8_t { box, rect, hatch, line, triangle, glyph, grid };
inline constexpr const char* brush_names[] = {"box", "rect", "hatch", "line", "triangle", "glyph", "grid"};
inline constexpr int brushes = 7;

// One quad in the format of shaders/common.vert. The meaning of a and b depends on the brush.
struct Instance {
  float a[4] = {}, b[4] = {};
  Colour fill{0, 0, 0, 0}, stroke{0, 0, 0, 0};
};

// A box in pixels. The column `right` and the row `bottom` are not part of it.
struct Extent {
  float left, top, right, bottom;
};

class Batches {
 public:
  struct Batch {
    Brush brush;
    std::vector<Instance> instances;
  };
  // Removes all shapes, and sets the size of the next picture in pixels.
  void clear(int width, int height);
  // Returns the batch for a shape's instances: the first batch with this brush that keeps the order of
  // overlapping shapes, or a new batch. `extents` must cover the shape. Returns null if the whole shape is
  // outside the picture.
  Batch* join(Brush brush, std::span<const Extent> extents);
  Batch* join(Brush brush, const Extent& extent) { return join(brush, std::span(&extent, 1)); }

  int count() const { return used_; }
  const Batch& operator[](int i) const { return batches_[i]; }

 private:
  // `last_` contains a number for each tile of the picture: the number (from 1) of the last batch with a
  // shape in the tile, or 0 if there is no such batch.
  static constexpr int tile = 8;  // pixels
  int columns_ = 0, rows_ = 0;
  struct Tiles {
    int left, top, right, bottom;
  };
  Tiles tiles(const Extent& extent) const;
  std::vector<int> last_;
  // Only the first `used_` batches are in use. The rest keeps its memory for the next picture.
  std::vector<Batch> batches_;
  int used_ = 0;
};

}  // namespace upsweep
