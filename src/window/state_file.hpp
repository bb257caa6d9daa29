// For automated tests: writes the cursor and the settings as lines of JSON. A line is written when a change
// of them is visible on the screen.
#pragma once
#include <fstream>
#include <span>
#include <string>

#include "study/session.hpp"
#include "window/top_bar.hpp"

namespace upsweep {

// Returns the state as one line of JSON, an object with these fields:
// - step, steps, phase, stride, request, at_block (the block of the cursor)
// - algorithm, n, block, grid, variants, without_barrier, type, op, layout, load_pattern, data, machine
// - opened (the name of the opened file if it is shown), recording (whether a recording is running),
//   shown_n (the n of the run that is shown meanwhile)
// - playing, speed, theme, view, presentation, help, error,
//   keyboard (whether a field or a list has the keyboard), hover (the id under the mouse, 0 for none),
//   first_element, element_count, first_line
// - timing: source (its name), live, rows, measuring, chart, large, hover (a row, -1 for none), pins,
//   compared (the name of the baseline)
// - state: a request that restores this state (see study/request.hpp)
// - places: the boxes of things in the window, each [x, y, width, height] in pixels
std::string state_line(const Session& session, bool keyboard, std::span<const ScreenPlace> places);

class StateFile {
 public:
  // Begins an empty file. An empty path means no file. Throws WorkError if the file cannot be written.
  explicit StateFile(const std::string& path);
  void write(const Session& session, bool keyboard, std::span<const ScreenPlace> places);

 private:
  std::ofstream file_;
  std::string last_;
};

}  // namespace upsweep
