// Draws two lines below the top bar: the idea of the shown algorithm, and what to watch.
#pragma once
#include "panels/chrome.hpp"
#include "study/session.hpp"

namespace upsweep {

// Draws the lines about the algorithm. If two algorithms are compared, draws what to watch in each algorithm.
// If a broken kernel's answer is hidden, draws the task instead.
//
// Draws only whole sentences if at least one sentence fits. The tooltip contains all sentences, and a click
// enlarges the view "About". The places of the buttons are relative to the panel.
Panel purpose_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);

}  // namespace upsweep
