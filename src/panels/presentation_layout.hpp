// Computes the places of all parts of a presentation in logical pixels.
#pragma once
#include <vector>

#include "panels/layout.hpp"

namespace upsweep {

inline constexpr std::size_t most_presented = 3;

// Returns the scale of a presentation in framebuffer pixels per logical pixel: the largest scale with which
// the window has at least 800 x 450 logical pixels. Returns 1 if the framebuffer is smaller.
float presentation_scale(int width, int height);

// Returns the views of a presentation as indices into views(): 1 to 3 different views. If there is a large
// view, it is the first view, and the added views follow.
//
// If there is no large view, the first view is the tree, or the view that the reader chose instead of the
// tree. If the run has shuffles, the shuffles are below the tree. If the run has requests to shared memory,
// two views replace the tree: the view of shared memory (`memory`), and below it the requests (`banks`).
std::vector<int> presented_views(const Looks& looks, const Recording& recording);

// Returns the layout of a presentation. Views with one column for each bank are as wide as the window. Other
// views are side by side above these wide views.
//
// `banner` is the height of the message above the views, or 0. If `with_words` is false, the layout has no
// sentence below the views.
WindowLayout presentation_layout(float width, float height, const Looks& looks, const Recording& recording,
                                 float banner = 0, bool with_words = true);

}  // namespace upsweep
