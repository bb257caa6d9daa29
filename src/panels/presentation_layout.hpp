// Computes the places of everything in a presentation, in logical pixels.
#pragma once
#include <vector>

#include "panels/layout.hpp"

namespace upsweep {

inline constexpr std::size_t most_presented = 3;

// Returns the factor by which a presentation is enlarged, in framebuffer pixels per logical pixel. The window
// then has at least 800 x 450 logical pixels, unless it has fewer framebuffer pixels.
float presentation_scale(int width, int height);

// Returns the views of a presentation, as indices into views(): the large view and the added views. If no
// view is large, the first view is the tree, or the view that the reader chose in its place. If the tree's
// run has requests to shared memory, the views are instead shared memory and the requests. If it has
// shuffles, they are below the tree. Returns at least 1 and at most 3 views, all different.
std::vector<int> presented_views(const Looks& looks, const Recording& recording);

// Returns the layout of a presentation. Views with one column for each bank are as wide as the window. Other
// views stand side by side above them. `banner` is the height of the message above the views, or 0. Without
// words, the sentence below the views is left out.
WindowLayout presentation_layout(float width, float height, const Looks& looks, const Recording& recording,
                                 float banner = 0, bool with_words = true);

}  // namespace upsweep
