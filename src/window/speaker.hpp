// Prints the window's contents as text to standard output, for screen readers. Each change is one line.
#pragma once
#include <string>

#include "panels/spoken.hpp"

namespace upsweep {

class Speaker {
 public:
  explicit Speaker(bool speaks) : speaks_(speaks) {}
  // Prints the parts of the text that have changed. `focused` describes the thing that has the keyboard's
  // focus, see Frame::focused().
  void follow(const Session& session, const LessonPlayer& player, const std::string& focused);

 private:
  bool speaks_;
  Spoken said_;
  std::string focused_;
};

}  // namespace upsweep
