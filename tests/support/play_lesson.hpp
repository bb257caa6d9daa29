// Plays lessons in tests: waits for runs and questions, and replies.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "lessons/player.hpp"
#include "study/session.hpp"
#include "support/session_start.hpp"
#include "trace/value.hpp"

namespace upsweep {

// Opens one lesson in a new session. The progress is not stored in a file.
struct Play {
  // `lesson` is an argument of LessonPlayer::open().
  template <class Lesson>
  explicit Play(const Lesson& lesson, Session::Start begin = start()) : s(std::move(begin)), p(s, progress) {
    p.open(lesson);
  }
  Session s;
  LearnerProgress progress;
  LessonPlayer p;
};

// Waits until the lesson's run has been recorded and its question has been asked.
inline void settle(Session& s, LessonPlayer& p) {
  for (int i = 0; i < 4; ++i) {
    s.settle(20);
    p.tick();
  }
}

// Replies to the current question. The reply is correct if `rightly` is true, and wrong otherwise.
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

// Plays every shipped lesson and card. Calls look(lesson) before and after each reply. The first reply to
// every second question is wrong.
template <class F>
void play_all(Session& s, LessonPlayer& p, F look) {
  bool rightly = true;
  for (const auto* all : {&shipped_lessons(), &shipped_cards()})
    for (const ReadLesson& read : *all) {
      p.open(read.lesson.name);
      settle(s, p);
      ASSERT_TRUE(p.is_open()) << read.lesson.name;
      while (true) {
        SCOPED_TRACE(fmt::format("{}, step {}", read.lesson.name, p.step_index() + 1));
        ASSERT_EQ(s.error(), "");
        look();
        if (p.step().ask) {
          ASSERT_TRUE(s.questioning().is_open());
          rightly = !rightly;
          reply(s, p, rightly);
          if (!rightly && !p.is_test()) {
            ASSERT_EQ(s.questioning().stage(), Questioning::Stage::again);
            look();
            reply(s, p, true);
          }
        } else if (p.step().order) {
          ASSERT_TRUE(p.order_is_open());
          const std::vector<int> answer = p.ordering()->answer;
          p.toggle_line(answer.back());
          p.commit_order();
          look();
          p.toggle_line(answer.back());
          for (const int line : answer) p.toggle_line(line);
          p.commit_order();
        }
        ASSERT_FALSE(p.is_open_task());
        look();
        if (p.is_last()) break;
        p.next();
        settle(s, p);
      }
      EXPECT_TRUE(p.is_done()) << read.lesson.name;
    }
}

}  // namespace upsweep
