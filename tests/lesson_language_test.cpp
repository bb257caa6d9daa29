// Changes the language while a learner plays each lesson. Only texts may change.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "lessons/player.hpp"
#include "support/play_lesson.hpp"
#include "support/session_start.hpp"
#include "support/speaking.hpp"

namespace upsweep {
namespace lesson_language_test {

// Returns the state that must not depend on the language.
auto place_of(const Session& s, const LessonPlayer& p) {
  const Questioning& q = s.questioning();
  return std::tuple(p.name(), p.step_index(), p.outcome(p.step_index()), q.stage(), q.tries(), q.typed(),
                    q.reply().numbers, p.order_reply(), p.order_tries(), s.cursor().step, s.cursor().request,
                    s.looks.chosen, s.whole_recording());
}

TEST(LessonLanguage, ChangesOnlyTexts) {
  Session s(start());
  LearnerProgress progress;
  LessonPlayer p(s, progress);
  int remarks = 0;
  play_all(s, p, [&] {
    const auto place = place_of(s, p);
    const std::string title = p.lesson().title, remark = s.questioning().remark(), hint = p.order_hint();
    {
      const Speaking chinese(TextLanguage::chinese);
      p.follow_language();
      settle(s, p);
      EXPECT_NE(p.lesson().title, title);
      EXPECT_EQ(place_of(s, p), place);
      EXPECT_EQ(s.questioning().remark().empty(), remark.empty());
      if (!remark.empty()) EXPECT_NE(s.questioning().remark(), remark);
      if (!hint.empty()) EXPECT_NE(p.order_hint(), hint);
    }
    p.follow_language();
    settle(s, p);
    EXPECT_EQ(p.lesson().title, title);
    EXPECT_EQ(s.questioning().remark(), remark);
    EXPECT_EQ(p.order_hint(), hint);
    EXPECT_EQ(place_of(s, p), place);
    remarks += !remark.empty();
  });
  EXPECT_GT(remarks, 10);
}

}  // namespace lesson_language_test
}  // namespace upsweep
