// One line each about the idea of the shown algorithm and about what to watch, below the top bar.
#pragma once
#include "panels/chrome.hpp"
#include "study/session.hpp"

namespace upsweep {

// Draws the lines. If two algorithms are compared, draws what to watch in each. If the answer to a kernel
// that is broken on purpose is hidden, draws the task instead. Only whole sentences are shown if at least one
// fits; the tip has all of them, and a click enlarges the view About. The buttons are relative to the panel.
Panel purpose_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);

}  // namespace upsweep
