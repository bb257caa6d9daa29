// Tests accessibility: the contrast, the sizes of text, and the spoken text. Also tests that every action has
// a key and can be reached with the mouse.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "panels/help.hpp"
#include "panels/keys.hpp"
#include "panels/spoken.hpp"
#include "scene/theme.hpp"
#include "support/play_lesson.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace access_test {

// Returns the relative luminance (WCAG 2), from 0 to 1.
double luminance(Colour c) {
  const auto linear = [](std::uint8_t x) {
    const double s = x / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}
double contrast(Colour a, Colour b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(Access, ThemesHaveContrast) {
  for (const Theme* t : {&dark_theme(), &light_theme(), &dark_contrast_theme(), &light_contrast_theme()}) {
    const bool high = t == &dark_contrast_theme() || t == &light_contrast_theme();
    const double least = high ? 7 : 4.5;
    SCOPED_TRACE(least);
    for (const Colour ground : {t->background, t->panel, t->cell}) {
      for (const Colour ink : {t->text, t->faint_text, t->now, t->conflict, t->broadcast, t->good})
        EXPECT_GE(contrast(ink, ground), least);
      if (high) { EXPECT_GE(contrast(t->ghost_text, ground), 7); }
    }
    for (const Colour accent : {t->now, t->conflict, t->broadcast})
      EXPECT_GE(contrast(t->on_now, accent), least);
    for (const Colour tint : {t->now_soft, t->conflict_soft, t->broadcast_soft})
      EXPECT_GE(contrast(t->text, tint), high ? 7 : 4.5);
    EXPECT_GE(contrast(t->on_line, t->line), least);
    if (high) { EXPECT_GE(contrast(t->line, t->background), 3) << "borders can be seen, too"; }
  }
}

// Every action with a key must have a row in the help, so that the user can click this row. This test lists
// all actions without a key: each of these actions has a button, which users reach with F6 and the arrow
// keys.
TEST(Access, EveryActionHasAKeyAndAPlaceForTheMouse) {
  std::set<std::pair<Action, int>> rows;
  for (const Button& b : help_panel(dark_theme(), 1280, 720, 0).buttons)
    rows.insert({b.command.action, b.command.argument});
  std::set<Action> with_key;
  for (const Binding& b : bindings()) {
    with_key.insert(b.action);
    EXPECT_TRUE(rows.contains({b.action, b.argument})) << b.what;
  }
  const std::set<Action> buttons = {
      Action::none,          Action::cancel,        Action::mark,          Action::mark_none,
      Action::show_reply,    Action::next_question, Action::open_lesson,   Action::open_card,
      Action::follow_lesson, Action::close_lesson,  Action::lesson_step,   Action::lesson_line,
      Action::lesson_again,  Action::lesson_run,    Action::swap_compared, Action::next_compared,
      Action::save_chart,    Action::export_as,     Action::choose_chart,  Action::choose_timings,
      Action::choose_case,   Action::timing_tab,    Action::help_page,     Action::open_recent};
  for (int a = 0; a <= static_cast<int>(Action::open_recent); ++a) {
    const auto action = static_cast<Action>(a);
    EXPECT_NE(with_key.contains(action), buttons.contains(action)) << a;
  }
}

TEST(Access, TextHasSizesFrom80To200Percent) {
  Session s(start());
  EXPECT_EQ(s.looks.text_scale, 1);
  for (int i = 0; i < 20; ++i) perform(s, {Action::text_larger, 0});
  EXPECT_EQ(s.looks.text_scale, 2);
  for (int i = 0; i < 20; ++i) perform(s, {Action::text_larger, 1});
  EXPECT_FLOAT_EQ(s.looks.text_scale, 0.8f);
  perform(s, {Action::text_larger, 2});
  EXPECT_EQ(s.looks.text_scale, 1);
  EXPECT_EQ(s.apply({.text_scale = 3}), Answer::refused);
  perform(s, {Action::contrast, 0});
  EXPECT_TRUE(s.looks.contrast);
}

TEST(Access, TheStepAndEveryQuestionAreSpoken) {
  Session s(start());
  LearnerProgress progress;
  LessonPlayer p(s, progress);
  s.go_to(3);
  const Spoken before = spoken(s, p);
  EXPECT_NE(before.step.find("Step 4 of 15: Up-sweep, stride 4."), std::string::npos) << before.step;
  EXPECT_EQ(changed_parts({}, before).size(), 1u);
  EXPECT_TRUE(changed_parts(before, spoken(s, p)).empty());
  p.open("padding");
  settle(s, p);
  ASSERT_TRUE(s.questioning().is_open());
  const Spoken asked = spoken(s, p);
  EXPECT_NE(asked.lesson.find(p.lesson().title), std::string::npos);
  EXPECT_NE(asked.question, "");
  EXPECT_EQ(asked.reply, "") << "the answer is not spoken";
  s.commit_reply();
  EXPECT_EQ(spoken(s, p).reply, s.questioning().notice());
  reply(s, p, true);
  EXPECT_EQ(spoken(s, p).reply.find("Right."), 0u) << spoken(s, p).reply;
}

TEST(Access, TheOrderOfLinesAndItsJudgementAreSpoken) {
  Play play(OpenedLesson{
      read_lesson("order",
                  "---\ntitle: Order\nminutes: 5\n---\nText.\n\n"
                  "```show\nscan_blelloch --n 64 --step up-sweep:2\n```\n```order\nlines 39-41\n```\n"),
      {},
      {}});
  Session& s = play.s;
  LessonPlayer& p = play.p;
  settle(s, p);
  ASSERT_TRUE(p.order_is_open());
  const std::vector<int> answer = p.ordering()->answer;
  const Spoken asked = spoken(s, p);
  EXPECT_EQ(asked.question.find("Put the lines in the order in which they run: 1: "), 0u) << asked.question;
  EXPECT_EQ(asked.order, "");
  EXPECT_EQ(asked.reply, "") << "the answer is not spoken";
  p.toggle_line(answer.back());
  const std::string line =
      fmt::format("{}: {}", answer.back() + 1, p.ordering()->lines[static_cast<std::size_t>(answer.back())]);
  EXPECT_EQ(changed_parts(asked, spoken(s, p)), std::vector{line}) << "only the chosen line is spoken";
  p.commit_order();
  const Spoken wrong = spoken(s, p);
  EXPECT_EQ(wrong.reply.find("Not quite: the first line is wrong."), 0u) << wrong.reply;
  p.toggle_line(answer.back());
  EXPECT_EQ(spoken(s, p).reply, "") << "the next judgement is spoken even if it is the same";
  for (const int each : answer) p.toggle_line(each);
  const Spoken chosen = spoken(s, p);
  p.commit_order();
  EXPECT_FALSE(p.order_is_open());
  EXPECT_EQ(changed_parts(chosen, spoken(s, p)), std::vector<std::string>{"Right."});
}

}  // namespace access_test
}  // namespace upsweep
