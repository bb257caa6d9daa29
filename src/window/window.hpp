// Opens the window on a display, or draws it off-screen as a picture.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  // A recording of a run with these settings, if it was made already; may be null.
  std::shared_ptr<const Recording> made;
  std::string timings;  // a file of times, shown large; empty for none
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  // The changed run of a comparison, if two runs are shown side by side.
  struct Changed {
    Settings settings;
    DataSource data;
    MachineChoice machine = MachineChoice::automatic;
  };
  std::optional<Changed> changed;
  std::optional<ThemeChoice> theme;  // nothing if the user did not choose it
  std::string language;              // the name of a TextLanguage; empty for the language of the last window
  float text_scale = 1;
  bool speaks = false;  // prints the window's contents for screen readers, see speaker.hpp
  // Whether the window begins with a presentation, and its views as indices into views(); empty for the usual
  // views.
  bool presentation = false;
  std::vector<int> presented;
  // The first step to show, an index into Trace::steps; -1 for the place with which the algorithm opens.
  int step = -1;
  int at_block = 0;                            // the cursor's block
  int request = -1;                            // the chosen request of the step, from 0; -1 for none
  bool n_chosen = true, block_chosen = false;  // see WantedRun
  int width = 0, height = 0;                   // the window in pixels; 0 for the default, most of the display
  float scale = 0;                             // pixels per logical pixel; 0 for the display's own scale
  // A file for automated tests, see StateFile; empty for none.
  std::string state_file;
  std::string lesson;  // a lesson to show, by its name or file; empty for none
  std::string state;   // the text of a state to show (see study/state_text.hpp), or empty
  bool cards = false;  // whether the window begins with the start page
  // Whether the window restores the state in which the user left it, if these options name nothing to show.
  // If no state was saved, it begins with the start page.
  bool goes_on = false;
  // Whether files keep the learner's progress and the state in which the user leaves the window.
  bool keeps = false;
};

// Opens the window and returns after the user has closed it. Throws RequestError if the settings make no
// sense or the step does not exist. Throws WorkError if there is no display or no OpenGL 3.3, with a sentence
// that names the commands that need neither.
int run_window(const WindowOptions& options);

// Pictures of the window, drawn off-screen. They have the size in `options`, or 1920 x 1080 pixels by
// default. All functions throw as run_window() does, but need no display.
class WindowPictures {
 public:
  explicit WindowPictures(const WindowOptions& options);
  ~WindowPictures();
  int count() const;  // the number of steps; in a comparison, of pairs of steps
  // Goes to a step (a pair in a comparison), by its index.
  void go_to(int step);
  Picture pixels();
  // Returns the window as a scene. A line that names the run replaces the top bar, because the top bar is not
  // a scene.
  Scene scene();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the window's picture in the step of the options.
Picture window_picture(const WindowOptions& options);

}  // namespace upsweep
