#include "render/difference.hpp"

#include <cmath>
#include <functional>
#include <string_view>

namespace upsweep {
namespace {

constexpr int tile = 32;               // the side of a tile in pixels
constexpr std::size_t most_boxes = 3;  // a small number, because the renderer paints each box separately

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

TileHashes::TileHashes(const PixelBox& box, std::span<const Batches::Batch> batches,
                       std::span<const Colour> cells)
    : box_(box),
      columns_(std::max(0, (box.right - box.left + tile - 1) / tile)),
      rows_(std::max(0, (box.bottom - box.top + tile - 1) / tile)),
      hashes_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {
  const auto tile_at = [](float pixel, int begin, int most) {
    return static_cast<int>(
        std::clamp(std::floor((pixel - static_cast<float>(begin)) / tile), -1.0f, static_cast<float>(most)));
  };
  for (const Batches::Batch& batch : batches)
    for (const Instance& in : batch.instances) {
      const Extent e = extent_of(batch.brush, in);
      const std::uint64_t hash = hash_of(batch.brush, in, cells);
      const int left = std::max(0, tile_at(e.left, box.left, columns_)),
                right = std::min(columns_ - 1, tile_at(e.right, box.left, columns_)),
                top = std::max(0, tile_at(e.top, box.top, rows_)),
                bottom = std::min(rows_ - 1, tile_at(e.bottom, box.top, rows_));
      for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) {
          std::uint64_t& there = hashes_[static_cast<std::size_t>(y * columns_ + x)];
          there = mixed(there, hash);
        }
    }
}

std::vector<PixelBox> TileHashes::difference(const TileHashes& other) const {
  if (box_ != other.box_) return {around(box_, other.box_)};
  // A band consists of neighbouring rows of tiles with differences.
  std::vector<PixelBox> bands;
  for (int y = 0; y < rows_; ++y) {
    PixelBox row{columns_, y, 0, y + 1};
    for (int x = 0; x < columns_; ++x) {
      const auto at = static_cast<std::size_t>(y * columns_ + x);
      if (hashes_[at] == other.hashes_[at]) continue;
      row.left = std::min(row.left, x);
      row.right = x + 1;
    }
    if (row.is_empty()) continue;
    if (!bands.empty() && bands.back().bottom == y) bands.back() = around(bands.back(), row);
    else bands.push_back(row);
  }
  while (bands.size() > most_boxes) {  // joins the two bands with the smallest gap
    std::size_t nearest = 0;
    const auto gap = [&](std::size_t i) { return bands[i + 1].top - bands[i].bottom; };
    for (std::size_t i = 1; i + 1 < bands.size(); ++i)
      if (gap(i) < gap(nearest)) nearest = i;
    bands[nearest] = around(bands[nearest], bands[nearest + 1]);
    bands.erase(bands.begin() + static_cast<std::ptrdiff_t>(nearest) + 1);
  }
  for (PixelBox& b : bands)
    b = common({box_.left + b.left * tile, box_.top + b.top * tile, box_.left + b.right * tile,
                box_.top + b.bottom * tile},
               box_);
  return bands;
}

}  // namespace upsweep
