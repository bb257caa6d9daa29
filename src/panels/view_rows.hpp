// Places a few large views in rows, in a presentation or beside a lesson.
#pragma once
#include <vector>

#include "analysis/recording.hpp"
#include "scene/scene.hpp"

namespace upsweep {

struct PlacedView {
  int view;  // an index into views()
  Box box;
};

inline constexpr float between_views = 8;

// Returns true if a view needs the whole width, because the view has one column for each bank or lane.
bool needs_width(int view);

// Places the views in rows. The narrow views are side by side in the first row. Each wide view has a separate
// row below. Requires at least one view.
std::vector<PlacedView> view_rows(std::vector<int> shown, Box area, const Recording& recording);

}  // namespace upsweep
