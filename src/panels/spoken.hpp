// Writes the text for a screen reader: the step, the lesson, the question, and the judgement of the reply.
#pragma once
#include <string>
#include <vector>

#include "lessons/player.hpp"
#include "study/session.hpp"

namespace upsweep {

// The parts of the text that can change separately. The screen reader skips empty parts.
struct Spoken {
  std::string message;   // the text of the banner
  std::string lesson;    // the text of the lesson's step
  std::string step;      // the sentences of the view "Words"
  std::string question;  // the question with its possible answers
  std::string reply;     // the judgement of the reply, or the reason why there is no judgement
  // The lines that the learner has put in order, each with its number. When the question has ended, these are
  // the lines of the kernel in the correct order.
  std::string order;
  bool operator==(const Spoken&) const = default;
};
Spoken spoken(const Session& session, const LessonPlayer& player);

// Returns the parts of `now` that differ from `before`, one line for each part.
std::vector<std::string> changed_parts(const Spoken& before, const Spoken& now);

}  // namespace upsweep
