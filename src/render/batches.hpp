// Sorts shapes into batches that can be drawn at once. Overlapping shapes keep their order, so the picture is
// that of painter's order, with few draw calls although views draw box, text, box, text.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// The brushes for shapes. Each has its shaders/NAME.vert and .frag.
enum class Brush : std::uint8_t { box, rect, hatch, line, triangle, glyph, grid };
inline constexpr const char* brush_names[] = {"box", "rect", "hatch", "line", "triangle", "glyph", "grid"};
inline constexpr int brushes = 7;

// One quad in the format of shaders/common.vert. Each brush uses a and b in its own way.
struct Instance {
  float a[4] = {}, b[4] = {};
  Colour fill{0, 0, 0, 0}, stroke{0, 0, 0, 0};
};

// A box of pixels. `right` and `bottom` are not included.
struct Extent {
  float left, top, right, bottom;
};

class Batches {
 public:
  struct Batch {
    Brush brush;
    std::vector<Instance> instances;
  };
  // Forgets all shapes. The next shapes are for a picture of this many pixels.
  void clear(int width, int height);
  // Returns the batch for a shape's instances: the first batch with its brush, starting at the last batch
  // with anything near the shape. The extents together must cover the shape. Returns null if all of it is
  // outside the picture.
  Batch* join(Brush brush, std::span<const Extent> extents);
  Batch* join(Brush brush, const Extent& extent) { return join(brush, std::span(&extent, 1)); }

  int count() const { return used_; }
  const Batch& operator[](int i) const { return batches_[i]; }

 private:
  // The tiles of the picture. Each has the number of the last batch that reaches it, from 1.
  static constexpr int tile = 8;  // pixels
  int columns_ = 0, rows_ = 0;
  struct Tiles {
    int left, top, right, bottom;
  };
  Tiles tiles(const Extent& extent) const;
  std::vector<int> last_;
  // Only the first used_ are in use; the others keep their memory for the next picture.
  std::vector<Batch> batches_;
  int used_ = 0;
};

}  // namespace upsweep
