// The judgement of a reply to a question, as the panel of the question shows it.
#pragma once
#include <string>

#include "study/questioning.hpp"

namespace upsweep {

// The judgement of the learner's reply, with a reason.
struct ReplyVerdict {
  enum class Kind { plain, right, wrong } colour = Kind::plain;
  // `word` contains the first words, such as "Not quite.". `rest` contains the sentences after these words.
  // Both texts are empty before the first reply.
  std::string word, rest;
};
// Returns the judgement of the last reply. Both texts are empty if there is no reply to the question yet.
ReplyVerdict verdict_of(const Questioning& questioning);

}  // namespace upsweep
