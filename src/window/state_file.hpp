// For automation: the cursor and the settings as JSON lines, one whenever they have changed on the screen.
#pragma once
#include <fstream>
#include <span>
#include <string>

#include "study/session.hpp"
#include "window/top_bar.hpp"

namespace upsweep {

// One line, an object: step, steps, phase, stride, request, at_block (the block looked at); algorithm, n,
// block, grid, variants, without_barrier, type, op, layout, load_pattern, data, machine, opened (the file's
// name where that is what is shown), recording (one is under way), shown_n (of what is shown meanwhile);
// playing, speed; theme, view, presentation,
// help, error; keyboard (a field or list has it), hover (what is pointed at, 0 for nothing), first_element,
// element_count, first_line; timing: source (its name), live, rows, measuring, chart, large, hover (a row, -1
// for none), pins, twin (what is compared with); state: all of that
// as a request that brings it back (see study/request.hpp); places: where things stand, each [x, y, width,
// height] in pixels.
std::string state_line(const Session& session, bool keyboard, std::span<const ScreenPlace> places);

class StateFile {
 public:
  // Begins an empty file; an empty path writes nothing. Throws WorkError if it cannot be written.
  explicit StateFile(const std::string& path);
  void write(const Session& session, bool keyboard, std::span<const ScreenPlace> places);

 private:
  std::ofstream file_;
  std::string last_;
};

}  // namespace upsweep
