// The window. The same frame is drawn on a display, or off-screen as a picture.
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
  std::shared_ptr<const Recording> opened;  // an opened recording, shown instead of a new run; may be null
  std::string opened_from;                  // the file of `opened`
  std::shared_ptr<const Recording> made;    // an earlier recording with these settings; may be null
  std::string timings;                      // a file of times, which is shown large; empty if there is none
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  bool dark = true;
  int step = 0;                                // the first step to show, an index into Trace::steps
  int at_block = 0;                            // the reader's block of its grid
  int request = -1;                            // the chosen request of the step, from 0; -1 for none
  bool n_chosen = true, block_chosen = false;  // see WantedRun
  int width = 0, height = 0;                   // the window in pixels; 0 for the default, most of the display
  float scale = 0;                             // pixels per logical pixel; 0 for the display's own scale
  std::string state_file;  // for automation: a JSON line is appended at every change of cursor and settings
};

// Opens the window and returns after it was closed. Throws RequestError if the settings make no sense. Throws
// WorkError without a display or without OpenGL 3.3; the message names the commands that do not need them.
int run_window(const WindowOptions& options);

// Draws one frame of the window off-screen and returns it, in the size of `options` or 1920 x 1080 pixels.
// Needs no display. Throws as run_window() does, and RequestError if the step does not exist.
Image window_image(const WindowOptions& options);

}  // namespace upsweep
