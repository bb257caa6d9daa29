// Plays lessons in tests: waits for runs and questions, and replies.
#pragma once
#include "lessons/player.hpp"
#include "study/session.hpp"
#include "trace/value.hpp"

namespace upsweep {

// Waits until the lesson's run has come and its question is posed.
inline void settle(Session& s, LessonPlayer& p) {
  for (int i = 0; i < 4; ++i) {
    s.settle(20);
    p.tick();
  }
}

// Replies to the posed question: rightly, or with a wrong answer.
inline void reply(Session& s, LessonPlayer& p, bool rightly) {
  const Question& q = s.questioning().question();
  while (!s.questioning().typed().empty()) s.erase_reply();
  for (const std::int64_t marked : std::vector(s.questioning().reply().numbers)) s.mark_number(marked);
  if (q.form == AnswerForm::value) {
    for (const char c : rightly ? exact_text(q.answer.value, s.settings()) : "987654") s.type_reply(c);
  } else if (rightly) {
    if (q.answer.numbers.empty()) s.mark_none();
    for (const std::int64_t number : q.answer.numbers) s.mark_number(number);
  } else {
    for (const std::int64_t number : q.form == AnswerForm::places ? q.places : q.choices)
      if (std::vector{number} != q.answer.numbers) {
        s.mark_number(number);
        break;
      }
  }
  s.commit_reply();
  settle(s, p);
}

}  // namespace upsweep
