// Draws the parts of a presentation around and over its views: the caption, the slim row of controls, the
// strokes of the pen, and the ring around the mouse.
#pragma once
#include <span>
#include <vector>

#include "panels/chrome.hpp"

namespace upsweep {

// Returns how visible the controls are, from 0 to 1, if neither they nor the mouse were used for this many
// seconds. If `still`, nothing fades: the controls just disappear.
float controls_opacity(double unused, bool still);
// Returns after how many seconds controls_opacity() changes. Returns a negative number if it stays the same.
double controls_change_in(double unused, bool still);

// Draws the algorithm and its settings, the numbers of the views (buttons that add and remove them) and the
// button that ends the presentation. `opacity` is that of the controls; buttons that are not visible do
// nothing. The button that ends the presentation is always visible.
Panel caption_panel(const Session& session, const Theme& theme, const WindowLayout& layout, Point mouse,
                    float opacity);
// Draws the step's name and number, and between them the controls.
Panel controls_panel(const Session& session, const Theme& theme, float width, float height, Point mouse,
                     float opacity);

using Stroke = std::vector<Point>;
// Draws the strokes of the pen.
Scene strokes_scene(std::span<const Stroke> strokes, const Theme& theme, float width, float height);
// Draws a ring around the mouse, or the tip of the pen.
Scene pointer_scene(Point mouse, bool pen, const Theme& theme, float width, float height);

}  // namespace upsweep
