// Tests questions in the session: hidden steps, replies, a second try, and the next question.
#include <gtest/gtest.h>

#include "catalogue/ladder.hpp"
#include "panels/question_panel.hpp"
#include "scene/theme.hpp"
#include "study/session.hpp"
#include "support/session_start.hpp"
#include "trace/value.hpp"
#include "words/question_words.hpp"

namespace upsweep {
namespace asking_test {

using Stage = Questioning::Stage;

// Begins questions, and waits for the first one.
void begin(Session& s) {
  s.apply({.asking = true});
  s.settle(20);
  ASSERT_TRUE(s.questioning().is_open());
}

// Does the same, and goes on to a question for which `wanted` is true.
template <class F>
void begin_with(Session& s, F wanted) {
  begin(s);
  for (int tries = 0; !wanted(s.questioning().question()); ++tries) {
    ASSERT_LT(tries, 200);
    s.next_question();
    s.settle(20);
    ASSERT_TRUE(s.questioning().is_open());
  }
}

void reply_with(Session& s, const Reply& reply) {
  const Question& q = s.questioning().question();
  if (q.form == AnswerForm::value) {
    for (const char c : exact_text(reply.value, s.settings())) s.type_reply(c);
  } else if (reply.numbers.empty()) {
    s.mark_none();
  } else {
    for (const std::int64_t number : reply.numbers) s.mark_number(number);
  }
  s.commit_reply();
}

// Returns a reply that is wrong.
Reply wrong_reply(const Question& q) {
  if (q.form == AnswerForm::value) {
    Reply wrong = q.answer;
    wrong.value = {};
    return wrong;
  }
  const auto& all = q.form == AnswerForm::places ? q.places : q.choices;
  for (const std::int64_t number : all)
    if (std::vector<std::int64_t>{number} != q.answer.numbers) return {{number}};
  return {};
}

Session started(const std::string& algorithm, int n) { return Session(start(n, algorithm)); }

TEST(Asking, HidesWhatComesNextUntilTheReply) {
  Session s = started("scan_blelloch", 64);
  s.go_to(2);
  begin_with(s, [](const Question& q) { return q.step >= 0; });
  const Question q = s.questioning().question();
  const std::shared_ptr<const Recording> hidden = s.shared_recording();
  for (const Event& e : hidden->trace.events) ASSERT_LT(static_cast<int>(e.step), q.first_hidden());
  EXPECT_EQ(s.cursor().step, q.step - 1);
  reply_with(s, q.answer);
  EXPECT_EQ(s.questioning().stage(), Stage::shown);
  EXPECT_NE(s.shared_recording(), hidden);
  EXPECT_EQ(s.cursor().step, q.step);
  EXPECT_EQ(s.questioning().score().right, 1);
}

TEST(Asking, GivesASecondTryAndThenTheAnswer) {
  Session s = started("scan_blelloch", 64);
  int seen = 0;
  for (begin(s); seen < 12; ++seen) {
    const Question q = s.questioning().question();
    const Reply wrong = wrong_reply(q);
    reply_with(s, wrong);
    ASSERT_EQ(s.questioning().stage(), Stage::again) << question_text(q, *s.questioning().whole());
    s.commit_reply();  // the same reply again
    ASSERT_EQ(s.questioning().stage(), Stage::shown);
    EXPECT_FALSE(s.questioning().judgement()->right);
    s.commit_reply();
    s.settle(20);
    ASSERT_TRUE(s.questioning().is_open());
    EXPECT_EQ(s.questioning().number(), seen + 2);
  }
  EXPECT_EQ(s.questioning().score().asked, seen);
  EXPECT_EQ(s.questioning().score().right, 0);
}

// Returns all texts of a scene, joined by blanks.
std::string texts_of(const Scene& scene) {
  std::string all;
  for (const Shape& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.what)) all += text->text + " ";
  return all;
}

TEST(Asking, NamesTheMisconceptionOfAWrongReply) {
  Session s = started("scan_blelloch", 64);
  begin_with(s, [](const Question& q) { return !q.misreadings.empty(); });
  const Misreading m = s.questioning().question().misreadings.front();
  reply_with(s, m.reply);
  EXPECT_EQ(s.questioning().stage(), Stage::again);
  const std::string shown =
      texts_of(question_panel(s, dark_theme(), 1280, question_height(720), {-1, -1}).scene);
  const std::string name = misconception_name(m.misconception);
  EXPECT_NE(shown.find(name.substr(0, name.find(' '))), shown.npos) << shown;
  EXPECT_NE(shown.find("A common mistake"), shown.npos) << shown;
}

TEST(Asking, AnEmptyReplyIsNoReply) {
  Session s = started("scan_blelloch", 64);
  begin(s);
  s.commit_reply();
  EXPECT_EQ(s.questioning().stage(), Stage::asked);
  EXPECT_FALSE(s.questioning().notice().empty());
}

TEST(Asking, BeginsAnewWithAnotherRun) {
  Session s = started("scan_blelloch", 64);
  begin(s);
  s.set_algorithm("reduce_sequential");
  s.settle(20);
  ASSERT_TRUE(s.questioning().is_open());
  EXPECT_EQ(s.questioning().whole()->trace.settings.algorithm, "reduce_sequential");
  s.apply({.asking = false});
  EXPECT_EQ(s.questioning().stage(), Stage::off);
  EXPECT_EQ(s.shared_recording()->trace.settings.algorithm, "reduce_sequential");
}

TEST(Asking, EndsWhenTwoRunsAreCompared) {
  Session s = started("scan_blelloch", 64);
  begin(s);
  s.toggle_comparing();
  s.settle(20);
  EXPECT_TRUE(s.looks.comparing);
  EXPECT_FALSE(s.looks.asking);
  EXPECT_EQ(s.questioning().stage(), Stage::off);
}

TEST(Asking, NumbersAndRangesAreTyped) {
  Session s = started("scan_blelloch", 64);
  begin_with(s, [](const Question& q) { return q.place_of == PlaceOf::lanes && q.places.size() == 32; });
  for (const char c : std::string("1 3-5")) s.type_reply(c);
  EXPECT_EQ(s.questioning().reply().numbers, (std::vector<std::int64_t>{1, 3, 4, 5}));
  s.erase_reply();
  EXPECT_EQ(s.questioning().reply().numbers, (std::vector<std::int64_t>{1}));
  s.mark_number(7);  // marking begins a new reply
  EXPECT_EQ(s.questioning().typed(), "");
}

// Every algorithm that a user opens gets a question, or a sentence that says why it has none.
TEST(Asking, WorksForEveryAlgorithm) {
  for (const Algorithm& a : algorithms()) {
    if (!is_listed(a) || a.language != Language::cuda) continue;
    SCOPED_TRACE(a.name);
    Session s = started(a.name, 32);
    s.apply({.asking = true});
    s.settle(20);
    ASSERT_TRUE(s.questioning().is_open() || s.questioning().stage() == Stage::none);
    if (!s.questioning().is_open()) continue;
    s.show_reply();
    EXPECT_FALSE(because_of(s.questioning().question(), *s.questioning().whole()).empty());
  }
}

}  // namespace asking_test
}  // namespace upsweep
