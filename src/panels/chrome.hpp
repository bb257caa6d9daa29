// The parts of the window around the views, drawn as scenes: buttons, the place in the recording, tips.
#pragma once
#include <optional>
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
  std::string tip;  // the action of the button, and its key
};

// A scene with buttons for the mouse.
struct Panel {
  Scene scene;
  std::vector<Button> buttons;
};

// Returns the button under a point; null if there is none.
const Button* button_at(const Panel& panel, Point p);

// Draws the buttons first, back, play, forward and last; below them phase, warp request and speed. Highlights
// the button under the mouse.
Panel transport_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);
// Draws "step 4 of 15" and the step's name, then the reader's block if there are several blocks; otherwise
// the keys that move. During a recording, it draws the progress, a button that cancels, and the n of the run
// that is still shown.
Panel status_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);
// Draws the backgrounds and hairlines below everything else.
Scene ground_scene(const Theme& theme, const WindowLayout& layout, float width, float height, Point mouse);
// Draws the number of each view's key beside its title, above the views. The number is a button.
Panel view_keys_panel(const Session& session, const Theme& theme, const WindowLayout& layout, float width,
                      float height, Point mouse);
// Draws one sentence at the top edge of the views, with a button that removes it. Notices and errors look
// different.
Panel sentence_panel(const Banner& banner, const Theme& theme, float width);
// Draws a thin bar across the window: the progress of a recording, as a fraction from 0 to 1.
Scene progress_scene(double share, const Theme& theme, float width);
// Draws the lines of a tip, wrapped, with the first line in bold. The scene is as large as the lines.
Scene tip_scene(const std::vector<std::string>& lines, const Theme& theme, float widest);

}  // namespace upsweep
