// Makes the scenes for the parts of the window that are not views: buttons, the status, messages and
// tooltips.
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
  std::string tip;  // the tooltip: the action of the button, and the key of this action
};

// A scene that contains buttons.
struct Panel {
  Scene scene;
  std::vector<Button> buttons;
};

// Returns the button at a point. Returns null if there is no button.
const Button* button_at(const Panel& panel, Point p);

// Draws the buttons First, Back, Play, Forward and Last. Below these buttons, draws the buttons for phases,
// warp requests and speed. Highlights the button under the mouse.
Panel transport_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);
// Draws the number of the step, such as "step 4 of 15", and the name of the step. Below the name, draws the
// cursor's block (if the grid has several blocks) or a line about the keys.
//
// While a run is being recorded, the progress and a cancel button replace the block or the line about the
// keys. If the new run has another n than the shown run, the text "shown: n = 64" replaces the step's name.
Panel status_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);
// Draws the backgrounds and the hairlines, which are behind all other parts of the window.
Scene ground_scene(const Theme& theme, const WindowLayout& layout, float width, float height, Point mouse);
// For each view, draws the number of the view's key beside the view's title. The number is also a button.
Panel view_keys_panel(const Session& session, const Theme& theme, const WindowLayout& layout, float width,
                      float height, Point mouse);
// Draws the sentence of the banner above the views, with a button that removes the banner. Notices and errors
// look different.
Panel sentence_panel(const Banner& banner, const Theme& theme, float width);
// Draws a thin bar that shows the progress of a recording. `share` is the finished fraction, from 0 to 1.
Scene progress_scene(double share, const Theme& theme, float width);
// Draws the lines of a tooltip. The first line is bold. A line is at most `widest` logical pixels wide. The
// scene is only as large as the tooltip.
Scene tip_scene(const std::vector<std::string>& lines, const Theme& theme, float widest);
// Returns the upper left corner for a tooltip of this size. The usual place is below and to the right of the
// mouse.
//
// If the tooltip would leave `bounds` or cover a box of `keep_clear` there, returns the nearest free place.
// If no place is free, returns the place at which the tooltip covers the smallest area.
Point tip_place(Point mouse, float width, float height, const Box& bounds, std::span<const Box> keep_clear);

}  // namespace upsweep
