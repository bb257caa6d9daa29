// Writes the state of the window as lines of JSON, for automated tests. After each frame with a change, adds
// one line.
#pragma once
#include <fstream>
#include <span>
#include <string>

#include "lessons/player.hpp"
#include "study/session.hpp"
#include "window/top_bar.hpp"

namespace upsweep {

// Returns the state as one line of JSON, an object with these fields:
// - step, steps, phase, stride, request, at_block (the cursor's block)
// - the settings (see settings_json()), data, machine
// - opened (the name of the opened file if it is shown), recording (whether a recording is running),
//   shown_n (the n of the run that is shown)
// - playing, speed, language, theme, contrast, text_scale, view, presentation, pen, black, notes (see Looks),
//   help, error (the banner's text, even if it is a notice), counters (their summary, or empty), keyboard
//   (whether a field or a list has the keyboard), hover (the kind of the id under the mouse, 0 for none),
//   first_element, element_count, first_line
// - timing: source (its name), live, rows, measuring, chart, large, hover (a row, -1 for none), pins,
//   compared (the name of the compared variant)
// - cards, lessons (whether the start page and the lessons are shown), asked (whether a question is open)
// - lesson (its name, or empty), lesson_step (an index), right and missed (the numbers of questions with a
//   correct and with a wrong first answer)
// - state: a request that restores this state (see study/request.hpp)
// - places: the boxes of things in the window, each [x, y, width, height] in pixels
std::string state_line(const Session& session, const LessonPlayer& player, bool keyboard,
                       std::span<const ScreenPlace> places);

class StateFile {
 public:
  // Begins an empty file. An empty path means no file. Throws WorkError if the file cannot be written.
  explicit StateFile(const std::string& path);
  void write(const Session& session, const LessonPlayer& player, bool keyboard,
             std::span<const ScreenPlace> places);

 private:
  std::ofstream file_;
  std::string last_;
};

}  // namespace upsweep
