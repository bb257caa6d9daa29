// The parts of the window around the views, drawn as scenes: buttons, the status, messages and tips.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "panels/keys.hpp"
#include "panels/layout.hpp"
#include "scene/theme.hpp"
#include "study/session.hpp"

namespace upsweep {

struct Button {
  Box box;
  Command command;
  std::string tip;  // what the button does, and the button's key
};

// A scene, and the boxes in it that are buttons.
struct Panel {
  Scene scene;
  std::vector<Button> buttons;
};

// Returns the button under a point; null if no button is there.
const Button* button_at(const Panel& panel, Point p);

// Draws the buttons first, back, play, forward and last. Below are phase, warp request and speed. The button
// under the mouse is highlighted.
Panel transport_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);
// Draws "step 4 of 15" and the step's name. Below is the cursor's block if the grid has several blocks,
// otherwise a line about the keys. While a run is recorded or a file is opened, this place shows the progress
// and a cancel button. While a run with another n is recorded, "shown: n = 64" replaces the step's name.
Panel status_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);
// Draws the backgrounds and hairlines that are below everything else.
Scene ground_scene(const Theme& theme, const WindowLayout& layout, float width, float height, Point mouse);
// Draws the number of each view's key beside the view's title. The number is a button.
Panel view_keys_panel(const Session& session, const Theme& theme, const WindowLayout& layout, float width,
                      float height, Point mouse);
// Draws the banner's sentence at the top edge of the views, with a button that removes it. A notice and an
// error look different.
Panel sentence_panel(const Banner& banner, const Theme& theme, float width);
// Draws the progress of a recording as a thin bar. `share` is from 0 to 1.
Scene progress_scene(double share, const Theme& theme, float width);
// Draws the lines of a tip, with the first line in bold, in at most `widest` dp plus margins. The scene is
// only as large as necessary.
Scene tip_scene(const std::vector<std::string>& lines, const Theme& theme, float widest);
// Returns the upper left corner of a tip of this size: below and right of the mouse if the tip is then within
// `bounds` and covers no box of `keep_clear`. Otherwise returns the nearest such place. If there is no such
// place, returns the place at which the tip covers the least.
Point tip_place(Point mouse, float width, float height, const Box& bounds, std::span<const Box> keep_clear);

}  // namespace upsweep
