// Computes the places of all parts of the window if lessons are shown.
#pragma once
#include "panels/layout.hpp"

namespace upsweep {

// Returns the layout of a window with the lessons at the right. If the reader or the lesson has chosen views,
// these views fill the room beside the lessons. The layout has no box for a question, because the lessons'
// panel contains the question.
//
// In a presentation, only the presented views, the caption and the controls are beside the lessons.
WindowLayout lesson_layout(float width, float height, const Looks& looks, const Recording& recording,
                           const PreferredHeights& preferred_heights, float banner);

}  // namespace upsweep
