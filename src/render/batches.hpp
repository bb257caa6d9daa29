// Sorts shapes into batches that are drawn at once. Overlapping shapes keep their order, so the picture is
// the same as if shapes were painted one by one. This needs few draw calls although views alternate between
// boxes and text.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// Each brush draws one kind of shape, with its own shaders/NAME.vert and .frag.
enum class Brush : std::uint8_t { box, rect, hatch, line, triangle, glyph, grid };
inline constexpr const char* brush_names[] = {"box", "rect", "hatch", "line", "triangle", "glyph", "grid"};
inline constexpr int brushes = 7;

// One quad in the format of shaders/common.vert. Each brush uses a and b in its own way.
struct Instance {
  float a[4] = {}, b[4] = {};
  Colour fill{0, 0, 0, 0}, stroke{0, 0, 0, 0};
};

// A box in pixels. `right` and `bottom` are not included.
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
  // Returns the batch for a shape's instances: the first batch with this brush at or after the last batch
  // near the shape, or a new batch. Requires extents that cover the shape. Returns null if the whole shape is
  // outside the picture.
  Batch* join(Brush brush, std::span<const Extent> extents);
  Batch* join(Brush brush, const Extent& extent) { return join(brush, std::span(&extent, 1)); }

  int count() const { return used_; }
  const Batch& operator[](int i) const { return batches_[i]; }

 private:
  // For each tile of the picture: the number of the last batch that reaches the tile, from 1.
  static constexpr int tile = 8;  // pixels
  int columns_ = 0, rows_ = 0;
  struct Tiles {
    int left, top, right, bottom;
  };
  Tiles tiles(const Extent& extent) const;
  std::vector<int> last_;
  // Only the first used_ batches are in use. The others keep their memory for the next picture.
  std::vector<Batch> batches_;
  int used_ = 0;
};

}  // namespace upsweep
