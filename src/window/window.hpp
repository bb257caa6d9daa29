// The window. The same frames are drawn on a display, or off-screen as a picture.
#pragma once
#include <memory>
#include <string>

#include "machine/machine.hpp"
#include "picture/picture.hpp"
#include "render/render.hpp"
#include "scene/views/views.hpp"
#include "study/data_source.hpp"
#include "trace/settings.hpp"

namespace upsweep {

struct WindowOptions {
  // A recording from a file, shown instead of a new run; may be null.
  std::shared_ptr<const Recording> opened;
  std::string opened_from;  // the file of `opened`
  // A recording of a run with these settings, if there is one already; may be null.
  std::shared_ptr<const Recording> made;
  std::string timings;  // a file of times, which is shown large; empty if no file was given
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  bool dark = true;
  int step = 0;                                // the first step to show, an index into Trace::steps
  int at_block = 0;                            // the block that the reader sees
  int request = -1;                            // the chosen request of the step, from 0; -1 for none
  bool n_chosen = true, block_chosen = false;  // see WantedRun
  int width = 0, height = 0;                   // the window in pixels; 0 for the default, most of the display
  float scale = 0;                             // pixels per logical pixel; 0 for the display's own scale
  // For automated tests: a line of JSON is added at every change of cursor and settings.
  std::string state_file;
};

// Opens the window and returns after the user has closed it. Throws RequestError if the settings make no
// sense. Throws WorkError if there is no display or no OpenGL 3.3. The error's sentence names the commands
// that need neither.
int run_window(const WindowOptions& options);

// Draws one frame of the window off-screen and returns it. Its size is that of `options`, or else 1920 x 1080
// pixels. Needs no display. Throws as run_window() does, and also throws RequestError if the step does not
// exist.
Picture window_picture(const WindowOptions& options);

}  // namespace upsweep
