// Opens the window on a display, or draws the window off-screen as a picture.
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
  // A recording that was read from a file. The window shows this recording instead of a new run. Null if the
  // window shows a new run.
  std::shared_ptr<const Recording> opened;
  std::string opened_from;  // the name of the file that contains `opened`
  // A finished recording of a run with `settings`. Null if there is no such recording.
  std::shared_ptr<const Recording> made;
  std::string timings;  // a file with times, which the window shows large; empty for none
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  // The changed run, if the window compares two runs side by side.
  struct Changed {
    Settings settings;
    DataSource data;
    MachineChoice machine = MachineChoice::automatic;
  };
  std::optional<Changed> changed;
  std::optional<ThemeChoice> theme;  // empty if the user did not choose a theme
  // The name of a TextLanguage. If the name is empty, the window has the language of the previous window.
  std::string language;
  float text_scale = 1;
  bool speaks = false;  // true if the window's contents are printed for screen readers, see speaker.hpp
  // `presentation` is true if the window begins with a presentation. The views of the presentation are
  // indices into views(); if the list is empty, the usual views are shown.
  bool presentation = false;
  std::vector<int> presented;
  // The index in Trace::steps of the first shown step. If the index is -1, the session chooses the step.
  int step = -1;
  int at_block = 0;                            // the index of the cursor's block
  int request = -1;                            // the index of the chosen request in the step; -1 for none
  bool n_chosen = true, block_chosen = false;  // see WantedRun
  // The size of the window in pixels; 0 for the default, which fills most of the display.
  int width = 0, height = 0;
  // The number of pixels per logical pixel; 0 for the scale of the display.
  float scale = 0;
  // The name of a file for automated tests, see StateFile. Empty for none.
  std::string state_file;
  std::string lesson;  // the name or the file of a lesson to show; empty for none
  std::string state;   // the text of a state to show, see study/state_text.hpp; empty for none
  bool cards = false;  // true if the window begins with the start page
  // True if the window may restore the state that was stored when the previous window was closed. The window
  // restores the state only if these options name nothing to show. If no state was stored, the window begins
  // with the start page.
  bool goes_on = false;
  // True if the program stores the learner's progress in a file, and the window's state in another file. The
  // state is stored when the user closes the window.
  bool keeps = false;
};

// Opens the window, and returns after the user has closed the window. Throws RequestError if the settings are
// invalid or the step does not exist.
//
// Throws WorkError if there is no display or no OpenGL 3.3. The sentence of this error names commands that
// need neither a display nor OpenGL.
int run_window(const WindowOptions& options);

// Draws pictures of the window off-screen. The size comes from `options`; the default size is 1920 x 1080
// pixels. The functions throw the same errors as run_window(), but work without a display.
class WindowPictures {
 public:
  explicit WindowPictures(const WindowOptions& options);
  ~WindowPictures();
  int count() const;  // returns the number of steps; in a comparison, the number of pairs of steps
  // Goes to the step (or, in a comparison, the pair of steps) with this index.
  void go_to(int step);
  Picture pixels();
  // Returns the window as a scene. A line with the name of the run replaces the top bar, because the top bar
  // is not a scene.
  Scene scene();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns a picture of the window. The picture shows the step of `options`.
Picture window_picture(const WindowOptions& options);

}  // namespace upsweep
