#include "render/batches.hpp"

#include <algorithm>
#include <cmath>

namespace upsweep {

void Batches::clear(int width, int height) {
  columns_ = (width + tile - 1) / tile;
  rows_ = (height + tile - 1) / tile;
  last_.assign(static_cast<std::size_t>(columns_) * rows_, 0);
  used_ = 0;
}

Batches::Tiles Batches::tiles(const Extent& e) const {
  if (!(e.left < e.right && e.top < e.bottom)) return {0, 0, 0, 0};  // the extent is empty or contains NaN
  const auto clamped = [](float t, int most) {
    return static_cast<int>(std::clamp(t, 0.0f, static_cast<float>(most)));
  };
  return {clamped(std::floor(e.left / tile), columns_), clamped(std::floor(e.top / tile), rows_),
          clamped(std::ceil(e.right / tile), columns_), clamped(std::ceil(e.bottom / tile), rows_)};
}

Batches::Batch* Batches::join(Brush brush, std::span<const Extent> extents) {
  const auto for_each_row = [&](auto f) {
    for (const Extent& e : extents) {
      const Tiles t = tiles(e);
      if (t.left >= t.right) continue;
      for (int y = t.top; y < t.bottom; y++)
        f(&last_[static_cast<std::size_t>(y) * columns_ + t.left], t.right - t.left);
    }
  };
  int last = -1;
  for_each_row([&](const int* row, int n) { last = std::max(last, *std::max_element(row, row + n)); });
  if (last < 0) return nullptr;
  int chosen = std::max(last, 1);
  while (chosen <= used_ && batches_[chosen - 1].brush != brush) chosen++;
  if (chosen > used_) {
    used_ = chosen;
    if (static_cast<std::size_t>(used_) > batches_.size()) batches_.emplace_back();
    batches_[chosen - 1].brush = brush;
    batches_[chosen - 1].instances.clear();
  }
  for_each_row([&](int* row, int n) { std::fill_n(row, n, chosen); });
  return &batches_[chosen - 1];
}

}  // namespace upsweep
