// The text that a screen reader speaks: the step and what happens in it, the lesson, the question, and what
// the reply got right and wrong.
#pragma once
#include <string>
#include <vector>

#include "lessons/player.hpp"
#include "study/session.hpp"

namespace upsweep {

// The parts that can change on their own, in the order in which they are spoken; an empty part says nothing.
struct Spoken {
  std::string message;   // the banner
  std::string lesson;    // the text of the lesson's step
  std::string step;      // the sentences of the view Words
  std::string question;  // with its possible answers
  std::string reply;     // the judgement, or why the reply was not judged
  bool operator==(const Spoken&) const = default;
};
Spoken spoken(const Session& session, const LessonPlayer& player);

// Returns the parts of `now` that are new, one line each.
std::vector<std::string> changed_parts(const Spoken& before, const Spoken& now);

}  // namespace upsweep
