// Compares two drawings of a layer (one scene), so that only the parts that differ are painted again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "render/batches.hpp"

namespace upsweep {

// A box in pixels. The column `left` and the row `top` belong to the box. The column `right` and the row
// `bottom` do not belong to the box.
struct PixelBox {
  int left = 0, top = 0, right = 0, bottom = 0;
  bool operator==(const PixelBox&) const = default;
  bool is_empty() const { return left >= right || top >= bottom; }
};
inline PixelBox common(const PixelBox& a, const PixelBox& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}
inline PixelBox around(const PixelBox& a, const PixelBox& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

// Returns a box around all pixels that an instance may touch. The box has a margin of one pixel on each side.
Extent extent_of(Brush brush, const Instance& instance);

// A set of tiles of a picture. A tile is a square of 32 x 32 pixels.
class TileSet {
 public:
  TileSet(int width, int height);  // an empty set of tiles of a picture with this size in pixels
  // Adds all tiles that `box` touches. The box may extend beyond the picture.
  void add(const PixelBox& box);
  // Returns boxes that cover all tiles of the set, and few others. The boxes do not overlap each other.
  std::vector<PixelBox> boxes() const;

 private:
  PixelBox picture_;
  int columns_, rows_;
  std::vector<bool> tiles_;  // row by row from the top
};

// One hash for each tile that a box touches. The hash depends on everything that is painted in the tile.
class TileHashes {
 public:
  TileHashes() = default;
  // `cells` contains the colours of all GridShapes, one GridShape after another.
  TileHashes(const PixelBox& box, std::span<const Batches::Batch> batches, std::span<const Colour> cells);

  // Adds all tiles to `tiles` in which the two drawings differ. Requires that both drawings have the same
  // box.
  void add_difference(const TileHashes& other, TileSet& tiles) const;

 private:
  PixelBox tiles_;                     // in tiles, not in pixels
  std::vector<std::uint64_t> hashes_;  // row by row from the top
};

}  // namespace upsweep
