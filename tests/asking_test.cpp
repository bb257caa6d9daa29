// Tests questions in the session: hidden steps, replies, the second try, and the next question.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/ladder.hpp"
#include "options/options.hpp"
#include "panels/question_panel.hpp"
#include "scene/theme.hpp"
#include "scene/views/views.hpp"
#include "study/session.hpp"
#include "support/session_start.hpp"
#include "trace/value.hpp"
#include "words/names.hpp"
#include "words/question_words.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace asking_test {

using Stage = Questioning::Stage;

// Turns questions on, and waits for the first question.
void begin(Session& s) {
  s.apply({.asking = true});
  s.settle(20);
  ASSERT_TRUE(s.questioning().is_open());
}

// Turns questions on, and goes on to the first question for which `wanted` returns true.
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

// Returns a wrong reply to the question.
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

// Returns all texts of a scene, joined by blanks.
std::string texts_of(const Scene& scene) {
  std::string all;
  for (const Shape& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.what)) all += text->text + " ";
  return all;
}

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

// While a question hides steps, no text may present the numbers of the visible steps as numbers of the whole
// run.
TEST(Asking, HidesTheTotals) {
  Session s = started("scan_blelloch", 64);
  s.go_to(4);
  begin_with(s, [](const Question& q) { return q.step >= 4; });
  const Recording& visible = s.recording();
  ASSERT_TRUE(visible.is_part);
  EXPECT_EQ(words(visible, s.cursor()).find(" of " + grouped(visible.facts.totals.operations) + " additions"),
            std::string::npos);
  const Cursor cursor = s.cursor();
  const std::string work = texts_of(draw_view(views()[static_cast<std::size_t>(view_index("work"))],
                                              {visible, cursor, dark_theme(), 500, 400}));
  EXPECT_EQ(work.find("whole run"), std::string::npos) << work;
  EXPECT_NE(work.find("additions so far"), std::string::npos) << work;
}

// A low window must show whether the reply is correct, even if the question offers many long answers.
TEST(Asking, AlwaysShowsTheJudgement) {
  Session s = started("scan_blelloch", 64);
  begin_with(s, [](const Question& q) { return q.kind == QuestionKind::compare; });
  reply_with(s, wrong_reply(s.questioning().question()));
  ASSERT_EQ(s.questioning().stage(), Stage::again);
  const auto shown = [&] {
    return texts_of(question_panel(s, dark_theme(), 1280, question_height(720), {-1, -1}).scene);
  };
  EXPECT_NE(shown().find("Not quite."), std::string::npos) << shown();
  s.commit_reply();
  EXPECT_NE(shown().find("Not right."), std::string::npos) << shown();
  EXPECT_NE(shown().find("This run needs"), std::string::npos) << shown();
}

TEST(Asking, GivesASecondTryAndThenTheAnswer) {
  Session s = started("scan_blelloch", 64);
  int seen = 0;
  for (begin(s); seen < 12; ++seen) {
    const Question q = s.questioning().question();
    const Reply wrong = wrong_reply(q);
    reply_with(s, wrong);
    ASSERT_EQ(s.questioning().stage(), Stage::again) << question_text(q, *s.questioning().whole());
    s.commit_reply();  // commits the same reply again
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

// Types a reply. Returns the sentence that refuses the reply, or an empty string if the session judges the
// reply as correct or wrong.
std::string refusal_of(Session& s, const std::string& typed) {
  while (!s.questioning().typed().empty()) s.erase_reply();
  for (const char c : typed) s.type_reply(c);
  s.commit_reply();
  return s.questioning().notice();
}

TEST(Asking, ATypedReplyIsRefusedUnlessAllOfItIsAnAnswer) {
  const struct {
    const char* typed;
    std::vector<std::int64_t> numbers;
    bool is_possible;
  } cases[] = {
      {"3", {3}, true},
      {"0 - 3", {0, 1, 2, 3}, true},
      {"0 -3", {0, 1, 2, 3}, true},
      {"1, 4-6 9", {1, 4, 5, 6, 9}, true},
      {"5 5-5", {5}, true},
      {"-1", {1}, false},
      {"- 1", {1}, false},
      {"3-1", {}, false},
      {"3-", {}, false},
      {"2 3-", {2}, false},
      {"1-3-5", {1, 2, 3, 5}, false},
      {"1.5", {1, 5}, false},
      {"1 40", {1}, false},
      {"30-40", {30, 31}, false},
      {"0-99999999999", {}, false},
      {"x", {}, false},
      {"", {}, true},
  };
  for (const char* algorithm : {"scan_blelloch", "reduce_sequential", "scan_hillis_steele"}) {
    Session s = started(algorithm, 64);
    begin_with(s, [](const Question& q) { return q.place_of == PlaceOf::lanes && q.places.size() == 32; });
    for (const auto& c : cases) {
      SCOPED_TRACE(c.typed);
      const Question q = s.questioning().question();
      EXPECT_EQ(numbers_of_reply(q, c.typed), c.numbers);
      EXPECT_EQ(names_only_possible(q, c.typed), c.is_possible);
      if (c.is_possible) continue;
      EXPECT_NE(refusal_of(s, c.typed).find("is not a possible answer"), std::string::npos);
      EXPECT_EQ(s.questioning().tries(), 0) << "the reply is not judged";
    }
    EXPECT_EQ(refusal_of(s, "0 - 31"), "");
    EXPECT_EQ(s.questioning().tries(), 1);
  }
}

TEST(Asking, TheAnswerIsOneBankOrOneNumberOrOneValue) {
  int asked = 0;
  for (const char* algorithm : {"scan_blelloch", "scan_brent_kung"})
    for (const QuestionKind kind : {QuestionKind::bank, QuestionKind::wavefronts, QuestionKind::value}) {
      SCOPED_TRACE(name(kind));
      Session s = started(algorithm, 64);
      begin_with(s, [&](const Question& q) { return q.kind == kind; });
      for (const char* typed : {"1 2", "1-2", "1 - 2", "1-", "--1"}) {
        EXPECT_TRUE(refusal_of(s, typed).ends_with('.')) << typed;
        EXPECT_EQ(s.questioning().tries(), 0) << typed;
      }
      s.mark_none();
      EXPECT_FALSE(s.questioning().says_none()) << "this is not a possible answer";
      EXPECT_EQ(refusal_of(s, "1"), "");
      EXPECT_EQ(s.questioning().tries(), 1);
      ++asked;
    }
  EXPECT_EQ(asked, 6);
}

// Questions of the kinds "compare" and "barrier" need further runs. For every algorithm, such questions must
// be refused if these runs would be large.
TEST(Asking, AboutOtherRunsNeedsRunsThatAreRecordedQuickly) {
  int small = 0, large = 0;
  for (const Algorithm& a : cuda_algorithms())
    for (const char* n : {"256", "3000000"}) {
      SCOPED_TRACE(a.name + " " + n);
      try {
        const Settings s = understand({.algorithm = a.name, .n = n}, false).settings;
        const bool is_small = s.n == 256;
        EXPECT_EQ(is_recorded_quickly(s, most_cost_of_several_runs), is_small);
        for (const QuestionKind kind : {QuestionKind::compare, QuestionKind::barrier}) {
          if (is_small) EXPECT_NO_THROW(expect_quick_runs(kind, s));
          else EXPECT_THROW(expect_quick_runs(kind, s), RequestError);
        }
        EXPECT_NO_THROW(expect_quick_runs(QuestionKind::value, s));
        (is_small ? small : large) += 1;
      } catch (const RequestError&) {}  // the algorithm does not accept this n
    }
  EXPECT_GT(small, 40);
  EXPECT_GT(large, 20);
  const RunRequest run = understand({.algorithm = "scan_blelloch"});
  const Recording r = record(run);
  EXPECT_TRUE(ask_input(r, run).record);
  RunRequest other = run;
  other.settings = understand({.algorithm = "radix_sort", .n = "3000000"}, false).settings;
  EXPECT_FALSE(ask_input(r, other).record);
}

// Tests that for every algorithm, the window shows a question, or a sentence that says why no question can be
// asked.
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
