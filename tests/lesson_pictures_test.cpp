// Draws the lessons, the cards and the questions. Checks that words fit, and compares the pictures with
// golden files.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "export/export.hpp"
#include "lessons/player.hpp"
#include "panels/cards_panel.hpp"
#include "panels/lesson_layout.hpp"
#include "panels/lesson_panel.hpp"
#include "panels/question_panel.hpp"
#include "scene/theme.hpp"
#include "support/pictures.hpp"
#include "support/play_lesson.hpp"
#include "support/session_start.hpp"
#include "support/temporary_folder.hpp"

namespace upsweep {
namespace lesson_pictures_test {

constexpr Point sizes[] = {{384, 664}, {520, 1024}};
constexpr Point nowhere{-1, -1};

LessonPanel drawn(const Session& s, const LessonPlayer& p, const LearnerProgress& progress, Point size,
                  bool dark = false) {
  return lesson_panel(s, p, progress, dark ? dark_theme() : light_theme(), size.x, size.y, nowhere, 0, 0);
}

void expect_golden_panel(const LessonPanel& panel, const std::string& name, bool dark = false) {
  Scene scene = panel.panel.scene;
  scene.background = (dark ? dark_theme() : light_theme()).background;
  expect_as_committed(name, svg(scene));
}

TEST(LessonPictures, WordsFitInEveryStepOfEveryLesson) {
  Session s(start());
  LearnerProgress progress;
  LessonPlayer p(s, progress);
  play_all(s, p, [&] {
    for (const Point size : sizes) {
      const LessonPanel panel = drawn(s, p, progress, size);
      expect_words_fit(panel.panel.scene, size);
      // Only a small part of a step's text may be outside the panel.
      EXPECT_LT(panel.hidden, 160) << "too much text beside the question";
      for (const Button& b : panel.panel.buttons) EXPECT_LE(b.box.y + b.box.h, size.y) << b.tip;
    }
  });
}

TEST(LessonPictures, AreCommitted) {
  Session s(start());
  LearnerProgress progress;
  LessonPlayer p(s, progress);
  p.open("why-a-stride-costs-time");
  settle(s, p);
  expect_golden_panel(drawn(s, p, progress, sizes[0]), "lesson-asked-light");
  reply(s, p, false);
  expect_golden_panel(drawn(s, p, progress, sizes[0], true), "lesson-missed-dark", true);
  reply(s, p, true);
  expect_golden_panel(drawn(s, p, progress, sizes[0]), "lesson-answered-light");
  p.close();
  expect_golden_panel(drawn(s, p, progress, sizes[0], true), "lessons-dark", true);
}

// Scrolling reaches every lesson of the list. The lessons in the folder of the opened file come first, and
// their buttons have numbers below 0.
TEST(LessonPictures, TheListHasTheLessonsOfTheFolder) {
  for (const int count : {0, 1, 3, 40}) {
    const TemporaryFolder folder;
    Session s(start());
    LearnerProgress progress;
    LessonPlayer p(s, progress);
    for (int i = 0; i < count; ++i)
      std::ofstream(folder / fmt::format("{:02}.md", i))
          << "---\ntitle: Own lesson " << i << "\nminutes: 5\n---\nText.\n";
    if (count > 0) p.open((folder / "00.md").string());
    settle(s, p);
    p.close();
    ASSERT_EQ(p.listed_in_folder(), count);
    for (const Point size : sizes) {
      std::set<int> reached;
      float hidden = 0;
      for (float scroll = 0; scroll <= hidden; scroll += 100) {
        const LessonPanel panel =
            lesson_panel(s, p, progress, light_theme(), size.x, size.y, nowhere, 0, scroll);
        expect_words_fit(panel.panel.scene, size);
        hidden = panel.hidden + 99;
        for (const Button& b : panel.panel.buttons)
          if (b.command.action == Action::open_lesson) reached.insert(b.command.argument);
      }
      EXPECT_EQ(reached.size(), shipped_lessons().size() + static_cast<std::size_t>(count));
      EXPECT_EQ(*reached.begin(), -count);
    }
  }
}

TEST(CardPictures, AreCommitted) {
  Job job;
  const std::vector<CardPicture> pictures = card_pictures(job);
  for (const CardPicture& picture : pictures) EXPECT_FALSE(picture.bars.empty());
  for (const bool dark : {false, true}) {
    const Panel panel = cards_panel(dark ? dark_theme() : light_theme(), 1280, 664, pictures, {}, nowhere, 0);
    expect_words_fit(panel.scene, {1280, 664});
    expect_as_committed(dark ? "cards-dark" : "cards-light", svg(panel.scene));
  }
  for (const Point size : {Point{800, 444}, {1920, 1024}, {1280, 664}})
    expect_words_fit(cards_panel(light_theme(), size.x, size.y, pictures, {}, nowhere, -1).scene, size);
}

TEST(QuestionPictures, AreCommitted) {
  Session s(start(64, "scan_blelloch"));
  s.go_to(2);
  s.apply({.asking = true});
  s.settle(20);
  ASSERT_TRUE(s.questioning().is_open());
  const auto drawn_question = [&](const Theme& t) {
    Scene scene = question_panel(s, t, 1280, question_height(720), nowhere).scene;
    scene.background = t.panel;
    return svg(scene);
  };
  expect_as_committed("question-asked-light", drawn_question(light_theme()));
  s.show_reply();
  expect_as_committed("question-shown-dark", drawn_question(dark_theme()));
}

TEST(LessonLayout, GivesTheChosenViewsTheRoomBesideTheLesson) {
  Session s(start());
  s.looks.lesson = true;
  s.apply({.view = "tree", .added = {{view_index("banks"), -1}}});
  for (const Point size : {Point{800, 500}, {1280, 720}, {1920, 1080}, {3840, 2160}}) {
    const WindowLayout w = lesson_layout(size.x, size.y, s.looks, s.recording(), {}, 0);
    EXPECT_EQ(w.lesson.x + w.lesson.w, size.x);
    EXPECT_LE(w.lesson.w, size.x / 2);
    EXPECT_EQ(w.large_view, view_index("tree"));
    EXPECT_EQ(w.added_views[0], view_index("banks"));
    for (const Box& b : {w.large, w.added[0], w[Home::words], w[Part::transport], w[Part::status]}) {
      EXPECT_GT(b.w, 0);
      EXPECT_GT(b.h, 0);
      EXPECT_LE(b.x + b.w, w.lesson.x + 1);
      EXPECT_LE(b.y + b.h, size.y + 1);
    }
    EXPECT_EQ(w[Home::source].w, 0);
    EXPECT_EQ(w[Part::top_bar].w, size.x);
  }
}

TEST(LessonLayout, OfAPresentationHasTheLessonBesideTheViews) {
  Session s(start());
  s.looks.lesson = s.looks.presentation = s.looks.asking = true;
  s.apply({.view = "memory", .added = {{view_index("source"), -1}}});
  for (const Point size : {Point{800, 450}, {1067, 600}, {1600, 900}}) {
    const WindowLayout w = lesson_layout(size.x, size.y, s.looks, s.recording(), {}, 0);
    EXPECT_EQ(w.lesson.x + w.lesson.w, size.x);
    EXPECT_EQ(w.lesson.h, size.y);
    EXPECT_EQ(w.question.h, 0) << "the lesson contains it";
    for (const Box& b : {w.large, w.added[0], w.caption, w[Part::transport]}) {
      EXPECT_GT(b.h, 0);
      EXPECT_LE(b.x + b.w, w.lesson.x + 1);
    }
  }
}

}  // namespace lesson_pictures_test
}  // namespace upsweep
