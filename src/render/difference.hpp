// Where two drawings of a layer differ: only there is a kept picture painted anew.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "render/batches.hpp"

namespace upsweep {

// Pixels, right and bottom excluded.
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

// Pixels that an instance may touch, and one more on each side.
Extent extent_of(Brush brush, const Instance& instance);

// What is painted in each tile of a box, as a number.
class TileHashes {
 public:
  TileHashes() = default;
  // `cells` holds the colours of all grids, one after the other.
  TileHashes(const PixelBox& box, std::span<const Batches::Batch> batches, std::span<const Colour> cells);

  // A few boxes that cover all tiles in which two drawings of the same box differ; none if they are the same.
  std::vector<PixelBox> difference(const TileHashes& other) const;

 private:
  PixelBox box_;
  int columns_ = 0, rows_ = 0;
  std::vector<std::uint64_t> hashes_;  // row by row
};

}  // namespace upsweep
