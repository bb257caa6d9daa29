// The window: the same frame on a display, and off-screen as a picture.
#pragma once
#include <memory>
#include <string>

#include "machine/machine.hpp"
#include "render/render.hpp"
#include "scene/views/views.hpp"
#include "study/data_source.hpp"
#include "trace/settings.hpp"

namespace upsweep {

struct WindowOptions {
  std::shared_ptr<const Recording> opened;  // shown in place of a run of the settings; null: none
  std::string opened_from;                  // its file
  std::shared_ptr<const Recording> made;    // the run of the settings, if it was recorded already
  std::string timings;                      // a file of times, shown large; empty: none
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  bool dark = true;
  int step = 0;               // the first step shown, an index into Trace::steps
  int at_block = 0;           // the block of its grid that is looked at
  int width = 0, height = 0;  // of the window in pixels; 0: most of the display
  float scale = 0;            // pixels per logical pixel; 0: the display's own
  std::string state_file;  // for automation: a JSON line is appended at every change of cursor and settings
};

// Opens the window and returns when it is closed. Throws RequestError if the settings make no sense,
// WorkError where there is no display or no OpenGL 3.3, naming the commands that need none.
int run_window(const WindowOptions& options);

// One frame of the window, width x height pixels (`options`' size or 1920 x 1080), drawn off-screen: needs no
// display. Throws as run_window does, and RequestError if the step does not exist.
Image window_image(const WindowOptions& options);

}  // namespace upsweep
