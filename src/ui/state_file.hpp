// For automation: the cursor and the settings as JSON lines, one whenever they have changed on the screen.
#pragma once
#include <fstream>
#include <span>
#include <string>

#include "ui/session.hpp"
#include "ui/top_bar.hpp"

namespace upsweep {

// One line:
// {"step","steps","phase","stride","request","algorithm","n","block","type","op","layout","load_pattern","data","machine",
// "playing","speed","theme","view","presentation","help","error","hover","places"}; places are [x, y, width,
// height] in pixels.
std::string state_line(const Session& session, std::span<const TopBar::Place> places);

class StateFile {
 public:
  // Begins an empty file; an empty path writes nothing. Throws WorkError if it cannot be written.
  explicit StateFile(const std::string& path);
  void write(const Session& session, std::span<const TopBar::Place> places);

 private:
  std::ofstream file_;
  std::string last_;
};

}  // namespace upsweep
