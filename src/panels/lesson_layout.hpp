// Computes the places of all parts of the window beside the lessons.
#pragma once
#include "panels/layout.hpp"

namespace upsweep {

// Returns the layout of a window with the lessons at its right side. If the reader, or the lesson, has chosen
// views, they fill the room beside the lessons. The layout has no box for a question, because the panel of
// the lessons contains the question. In a presentation, only the presented views, their caption and controls
// are beside the lesson.
WindowLayout lesson_layout(float width, float height, const Looks& looks, const Recording& recording,
                           const PreferredHeights& preferred_heights, float banner);

}  // namespace upsweep
