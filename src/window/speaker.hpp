// Prints the window's contents as text to standard output, for screen readers: one line for each change.
#pragma once
#include <string>

#include "panels/spoken.hpp"

namespace upsweep {

class Speaker {
 public:
  explicit Speaker(bool speaks) : speaks_(speaks) {}
  // Prints the parts that have changed. `focused` names the button that has the keyboard, see
  // Frame::focused().
  void follow(const Session& session, const LessonPlayer& player, const std::string& focused);

 private:
  bool speaks_;
  Spoken said_;
  std::string focused_;
};

}  // namespace upsweep
