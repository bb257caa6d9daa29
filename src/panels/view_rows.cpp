#include "panels/view_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scene/views/views.hpp"

namespace upsweep {
namespace {

// Returns the height in logical pixels that a wide view needs in a presentation.
float wanted_height(int view, const Recording& recording) {
  const View& v = views()[static_cast<std::size_t>(view)];
  if (!v.height) return 150;
  // The factor 1.3 enlarges rows of lanes, because these rows are low in the usual window.
  return v.home == Home::memory ? v.height(recording) : 1.3f * v.height(recording);
}

}  // namespace

bool needs_width(int view) {
  const Home home = views()[static_cast<std::size_t>(view)].home;
  return home == Home::memory || home == Home::banks || home == Home::warps || home == Home::profile;
}

std::vector<PlacedView> view_rows(std::vector<int> shown, Box area, const Recording& recording) {
  std::sort(shown.begin(), shown.end());
  std::vector<std::vector<int>> rows;
  std::vector<float> weights;
  for (const int view : shown) {
    if (!needs_width(view) && !rows.empty() && !needs_width(rows.front().front())) {
      rows.front().push_back(view);
    } else if (needs_width(view)) {
      rows.push_back({view});
    } else {
      rows.insert(rows.begin(), {view});
    }
  }
  const float room = std::max(0.0f, area.h - between_views * static_cast<float>(rows.size() - 1));
  float others = 0;
  for (const auto& row : rows)
    if (needs_width(row.front())) others += wanted_height(row.front(), recording);
  // Narrow views are side by side in the first row. This row gets the height that the wide views do not need,
  // but at least 45 % of the room.
  const bool is_first = !needs_width(rows.front().front());
  const float first = is_first ? std::max(room - others, 0.45f * room) : 0;
  for (const auto& row : rows)
    weights.push_back(
        needs_width(row.front()) ? wanted_height(row.front(), recording) * (room - first) / others : first);
  const float sum = std::accumulate(weights.begin(), weights.end(), 0.0f);
  std::vector<PlacedView> all;
  float y = area.y;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float height = room * weights[i] / sum, count = static_cast<float>(rows[i].size()),
                width = (area.w - between_views * (count - 1)) / count;
    float x = area.x;
    for (const int view : rows[i]) {
      all.push_back({view, {x, y, width, height}});
      x += width + between_views;
    }
    y += height + between_views;
  }
  return all;
}

}  // namespace upsweep
