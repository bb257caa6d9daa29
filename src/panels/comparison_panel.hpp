// The parts of the window that only a comparison has: the names of the two runs, and the row of differences.
#pragma once
#include <vector>

#include "panels/chrome.hpp"
#include "scene/comparison.hpp"

namespace upsweep {

// Requires session.compares(). The result refers to the session's recordings.
ComparedRuns compared_runs(const Session& session);

// Draws both names with their buttons and the differences, in the coordinates of the window. If the changed
// run has no recording, a sentence in its place says why.
Panel comparison_panel(const Session& session, const Theme& theme, const WindowLayout& layout, float width,
                       float height, Point mouse);

}  // namespace upsweep
