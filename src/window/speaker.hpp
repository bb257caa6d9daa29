// Prints what the window shows to standard output, one line for each change, for screen readers.
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
