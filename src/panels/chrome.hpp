// The window around the views, as scenes like the views themselves: buttons, where we are, tips, help.
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
  std::string tip;  // what it does and its key
};

// A scene whose buttons are pressed by the mouse.
struct Panel {
  Scene scene;
  std::vector<Button> buttons;
};

// The button under a point.
const Button* button_at(const Panel& panel, Point p);

// First, back, play, forward, last; below them phase, warp request and speed. The one under the mouse is lit.
Panel transport_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);
// "step 4 of 15", what step that is, and the block that is looked at if there are several, else the keys that
// move. While a recording is under way: how far it has come, a button that cancels it, and the n of what is
// shown meanwhile.
Panel status_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);
// Grounds and hairlines under everything.
Scene ground_scene(const Theme& theme, const WindowLayout& layout, float width, float height, Point mouse);
// Over the views: the number of each view's key beside its title, which is its button.
Panel view_keys_panel(const Session& session, const Theme& theme, const WindowLayout& layout, float width,
                      float height, Point mouse);
// One sentence over the top edge of the views, with a button that takes it away. Notices do not look like
// errors.
Panel sentence_panel(const Banner& banner, const Theme& theme, float width);
// A thin bar across the window: how far a recording has come, from 0 to 1.
Scene progress_scene(double share, const Theme& theme, float width);
// Every key, over everything.
Panel help_panel(const Theme& theme, float width, float height);
// Lines of a tip, the first one bold, wrapped; as large as they need.
Scene tip_scene(const std::vector<std::string>& lines, const Theme& theme, float widest);

}  // namespace upsweep
