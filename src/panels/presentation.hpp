// Draws the parts of a presentation that are not views: the caption, the narrow row of controls, the strokes
// of the pen, and the ring around the mouse.
#pragma once
#include <span>
#include <vector>

#include "panels/chrome.hpp"

namespace upsweep {

// Returns the opacity of the controls, from 0 to 1. `unused` is the time in seconds since the user last used
// the controls or the mouse. If `still` is true, the controls disappear without fading.
float controls_opacity(double unused, bool still);
// Returns the seconds until controls_opacity() changes. Returns a negative number if controls_opacity() will
// not change.
double controls_change_in(double unused, bool still);

// Draws the name and the settings of the algorithm, the numbers of the views, and a button that ends the
// presentation. The numbers of the views are buttons that add and remove views.
//
// `opacity` is the opacity of the controls, and invisible buttons do nothing. Only the button that ends the
// presentation is always visible.
Panel caption_panel(const Session& session, const Theme& theme, const WindowLayout& layout, Point mouse,
                    float opacity);
// Draws the name and the number of the step, and the controls between these two texts.
Panel controls_panel(const Session& session, const Theme& theme, float width, float height, Point mouse,
                     float opacity);

using Stroke = std::vector<Point>;
Scene strokes_scene(std::span<const Stroke> strokes, const Theme& theme, float width, float height);
// Draws a ring around the mouse or, if `pen` is true, a disc at the mouse.
Scene pointer_scene(Point mouse, bool pen, const Theme& theme, float width, float height);

}  // namespace upsweep
