// Puts the judgement of a reply into words, for the panel of the question.
#pragma once
#include <string>

#include "lessons/player.hpp"
#include "study/questioning.hpp"

namespace upsweep {

// The judgement of the learner's reply, with a reason.
struct ReplyVerdict {
  enum class Kind { plain, right, wrong } colour = Kind::plain;
  // `word` contains the first words, such as "Not quite.". `rest` contains the sentences after these words.
  // Both texts are empty before the first reply.
  std::string word, rest;
};
// Returns the judgement of the latest reply. Both texts are empty if there is no reply to the question yet.
ReplyVerdict verdict_of(const Questioning& questioning);
// Returns the judgement of the order in which the learner put the lines of a lesson. The whole text is in
// `rest`. Requires player.ordering().
ReplyVerdict order_verdict(const LessonPlayer& player);

}  // namespace upsweep
