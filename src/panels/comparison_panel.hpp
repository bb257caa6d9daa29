// Draws the parts of the window that are visible only during a comparison: the names of the two runs, and the
// row of differences.
#pragma once
#include <vector>

#include "panels/chrome.hpp"
#include "scene/comparison.hpp"

namespace upsweep {

// Requires session.compares(). The result contains references to the session's recordings.
ComparedRuns compared_runs(const Session& session);

// Draws the names of both runs with their buttons, and the differences. Uses the coordinates of the window.
// If the changed run has no recording, a sentence replaces the views and says why.
Panel comparison_panel(const Session& session, const Theme& theme, const WindowLayout& layout, float width,
                       float height, Point mouse);

}  // namespace upsweep
