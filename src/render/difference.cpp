#include "render/difference.hpp"

#include <cmath>
#include <functional>
#include <string_view>

namespace upsweep {
namespace {

constexpr int tile = 32;      // the side of a tile in pixels
constexpr int small_gap = 2;  // in tiles

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  return a * 0xff51afd7ed558ccdu;
}

std::uint64_t hash_of(const void* bytes, std::size_t count) {
  return std::hash<std::string_view>()({static_cast<const char*>(bytes), count});
}

std::uint64_t hash_of(Brush brush, const Instance& in, std::span<const Colour> cells) {
  std::uint64_t hash = mixed(hash_of(&in, sizeof in), static_cast<std::uint64_t>(brush));
  if (brush != Brush::grid) return hash;
  const auto first = std::min(static_cast<std::size_t>(in.b[2]), cells.size()),
             count = std::min(static_cast<std::size_t>(in.b[0] * in.b[1]), cells.size() - first);
  return mixed(hash, hash_of(cells.data() + first, count * sizeof(Colour)));
}

// Returns the tiles that a box in pixels touches.
PixelBox tiles_of(const PixelBox& box) {
  const auto floored = [](int pixel) { return pixel >= 0 ? pixel / tile : -((tile - 1 - pixel) / tile); };
  return {floored(box.left), floored(box.top), floored(box.right + tile - 1), floored(box.bottom + tile - 1)};
}

}  // namespace

Extent extent_of(Brush brush, const Instance& in) {
  const float* a = in.a;
  if (brush == Brush::line) {
    const float by = in.b[0] / 2 + 1;
    return {std::min(a[0], a[2]) - by, std::min(a[1], a[3]) - by, std::max(a[0], a[2]) + by,
            std::max(a[1], a[3]) + by};
  }
  if (brush == Brush::triangle)
    return {std::min({a[0], a[2], in.b[0]}) - 1, std::min({a[1], a[3], in.b[1]}) - 1,
            std::max({a[0], a[2], in.b[0]}) + 1, std::max({a[1], a[3], in.b[1]}) + 1};
  return {a[0] - 1, a[1] - 1, a[2] + 1, a[3] + 1};
}

TileSet::TileSet(int width, int height)
    : picture_{0, 0, width, height},
      columns_(tiles_of(picture_).right),
      rows_(tiles_of(picture_).bottom),
      tiles_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

void TileSet::add(const PixelBox& box) {
  const PixelBox t = tiles_of(common(box, picture_));
  for (int y = t.top; y < t.bottom; ++y)
    for (int x = t.left; x < t.right; ++x) tiles_[static_cast<std::size_t>(y * columns_ + x)] = true;
}

std::vector<PixelBox> TileSet::boxes() const {
  std::vector<PixelBox> boxes;  // in tiles
  for (int y = 0; y < rows_; ++y) {
    std::vector<PixelBox> row;
    for (int x = 0; x < columns_; ++x) {
      if (!tiles_[static_cast<std::size_t>(y * columns_ + x)]) continue;
      if (!row.empty() && x - row.back().right <= small_gap) row.back().right = x + 1;
      else row.push_back({x, y, x + 1, y + 1});
    }
    for (const PixelBox& r : row) {
      const auto above = std::find_if(boxes.begin(), boxes.end(), [&](const PixelBox& b) {
        return b.bottom == y && b.left == r.left && b.right == r.right;
      });
      if (above == boxes.end()) boxes.push_back(r);
      else above->bottom = y + 1;
    }
  }
  for (PixelBox& b : boxes)
    b = common({b.left * tile, b.top * tile, b.right * tile, b.bottom * tile}, picture_);
  return boxes;
}

TileHashes::TileHashes(const PixelBox& box, std::span<const Batches::Batch> batches,
                       std::span<const Colour> cells)
    : tiles_(tiles_of(box)) {
  if (tiles_.is_empty()) return;
  const int columns = tiles_.right - tiles_.left, rows = tiles_.bottom - tiles_.top;
  hashes_.resize(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  const auto tile_at = [](float pixel, int first, int count) {
    return static_cast<int>(
        std::clamp(std::floor(pixel / tile) - static_cast<float>(first), -1.0f, static_cast<float>(count)));
  };
  for (const Batches::Batch& batch : batches)
    for (const Instance& in : batch.instances) {
      const Extent e = extent_of(batch.brush, in);
      const std::uint64_t hash = hash_of(batch.brush, in, cells);
      const int left = std::max(0, tile_at(e.left, tiles_.left, columns)),
                right = std::min(columns - 1, tile_at(e.right, tiles_.left, columns)),
                top = std::max(0, tile_at(e.top, tiles_.top, rows)),
                bottom = std::min(rows - 1, tile_at(e.bottom, tiles_.top, rows));
      for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) {
          std::uint64_t& there = hashes_[static_cast<std::size_t>(y * columns + x)];
          there = mixed(there, hash);
        }
    }
}

void TileHashes::add_difference(const TileHashes& other, TileSet& tiles) const {
  auto hash = hashes_.begin(), other_hash = other.hashes_.begin();
  for (int y = tiles_.top; y < tiles_.bottom; ++y)
    for (int x = tiles_.left; x < tiles_.right; ++x)
      if (*hash++ != *other_hash++) tiles.add({x * tile, y * tile, (x + 1) * tile, (y + 1) * tile});
}

}  // namespace upsweep
