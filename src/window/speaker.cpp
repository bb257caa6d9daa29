#include "window/speaker.hpp"

#include <cstdio>

#include "words/in_words.hpp"

namespace upsweep {

void Speaker::follow(const Session& session, const LessonPlayer& player, const std::string& focused) {
  if (!speaks_) return;
  const auto say = [](const std::string& line) { std::printf("%s\n", printable(line).c_str()); };
  Spoken now = spoken(session, player);
  if (now.step.empty()) now.step = said_.step;  // the step has no text while a new recording is running
  for (const std::string& line : changed_parts(said_, now)) say(line);
  if (focused != focused_ && !focused.empty()) say(focused);
  said_ = std::move(now);
  focused_ = focused;
  std::fflush(stdout);
}

}  // namespace upsweep
