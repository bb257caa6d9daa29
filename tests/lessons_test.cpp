// Checks the lessons, the tests and the cards that come with the program.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "catalogue/catalogue.hpp"
#include "lessons/check.hpp"
#include "lessons/course.hpp"

namespace upsweep {
namespace lessons_test {

std::string listed(const std::vector<Mistake>& mistakes) {
  std::string all;
  for (const Mistake& m : mistakes) all += fmt::format("\n  line {}: {}", m.line, m.text);
  return all;
}

TEST(ShippedLessons, HaveNoMistakes) {
  std::vector<Lesson> course;
  for (const ReadLesson& read : shipped_lessons()) course.push_back(read.lesson);
  Job job;
  for (const auto* all : {&shipped_lessons(), &shipped_cards()})
    for (const ReadLesson& read : *all) {
      EXPECT_EQ(listed(check_lesson(read, {}, job)), "") << read.lesson.name;
      EXPECT_EQ(listed(check_course(read.lesson, course)), "") << read.lesson.name;
    }
}

// Returns the lines of a lesson that do not depend on its language: separators, some lines of the header, and
// the blocks between ``` and ```. Leaves out the translated texts of hints and of wrong answers.
std::vector<std::string> lines_without_language(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  std::string line;
  for (bool is_in_fence = false; std::getline(in, line);) {
    const bool is_fence = line.starts_with("```");
    if (is_fence) is_in_fence = !is_in_fence;
    if (line.starts_with("misread ")) line.erase(line.find(':'));
    if (line.starts_with("hint:")) line = "hint:";
    const bool is_key =
        line.starts_with("minutes:") || line.starts_with("needs:") || line.starts_with("next:");
    if (is_fence || is_in_fence || is_key || line == "---") lines.push_back(line);
  }
  return lines;
}

TEST(ShippedLessons, InChineseAskTheSame) {
  Job job;
  int read_lessons = 0;
  for (const std::string folder : {"lessons", "cards"}) {
    const std::string assets = UPSWEEP_SOURCE_DIR "/assets/" + folder;
    std::vector<Lesson> course;
    for (const std::string& file : lesson_files(assets + "/zh"))
      course.push_back(read_lesson_file(file).lesson);
    for (const std::string& file : lesson_files(assets + "/zh")) {
      SCOPED_TRACE(file);
      const ReadLesson read = read_lesson_file(file);
      EXPECT_EQ(listed(check_lesson(read, assets + "/zh", job)), "");
      EXPECT_EQ(listed(check_course(read.lesson, course)), "");
      EXPECT_EQ(read.lesson.language, "zh");
      // A learner who switches the language must keep the outcomes of questions. Therefore each question must
      // be the same in both languages.
      const Lesson english = read_lesson_file(assets + "/" + read.lesson.name + ".md").lesson;
      ASSERT_EQ(read.lesson.steps.size(), english.steps.size());
      for (std::size_t i = 0; i < english.steps.size(); ++i)
        EXPECT_EQ(read.lesson.steps[i].question, english.steps[i].question);
      EXPECT_EQ(lines_without_language(file),
                lines_without_language(assets + "/" + read.lesson.name + ".md"));
      ++read_lessons;
    }
  }
  EXPECT_EQ(read_lessons, static_cast<int>(shipped_lessons().size() + shipped_cards().size()));
}

TEST(ShippedLessons, AreACourse) {
  int lessons = 0, tests = 0;
  std::set<std::string> titles;
  std::set<int> all_kinds;
  for (const ReadLesson& read : shipped_lessons()) {
    const Lesson& l = read.lesson;
    SCOPED_TRACE(l.name);
    EXPECT_TRUE(titles.insert(l.title).second);
    EXPECT_FALSE(l.about.empty());
    if (l.kind == Lesson::Kind::test) {
      ++tests;
      EXPECT_EQ(l.tasks(), 12);
      for (const LessonStep& s : l.steps)
        if (s.ask) EXPECT_TRUE(s.ask->hints.empty() && s.ask->misread.empty());
      continue;
    }
    ++lessons;
    EXPECT_EQ(l.kind, Lesson::Kind::lesson);
    EXPECT_GE(l.tasks(), 6);
    int orders = 0;
    std::set<int> kinds;
    for (const LessonStep& s : l.steps) {
      orders += s.order.has_value();
      if (s.ask) kinds.insert(static_cast<int>(*s.ask->order.kind));
    }
    EXPECT_EQ(orders, 1);
    EXPECT_GE(kinds.size(), 2u);
    all_kinds.insert(kinds.begin(), kinds.end());
  }
  EXPECT_EQ(lessons, 20) << "README.md says twenty";
  EXPECT_EQ(tests, 1);
  EXPECT_EQ(all_kinds.size(), static_cast<std::size_t>(question_kinds))
      << "the course has questions of every kind";
}

TEST(ShippedLessons, OpenFromSixToEightCards) {
  const auto& cards = shipped_cards();
  EXPECT_EQ(cards.size(), 6u) << "README.md says six";
  // Lessons and cards mention the number of broken kernels, so this number must be correct.
  EXPECT_EQ(std::ranges::count_if(algorithms(), &Algorithm::is_broken), 18);
  for (const ReadLesson& card : cards) {
    SCOPED_TRACE(card.lesson.name);
    EXPECT_EQ(card.lesson.kind, Lesson::Kind::card);
    EXPECT_TRUE(card.lesson.title.ends_with('?'));
    EXPECT_EQ(card.lesson.steps.size(), 1u);
    EXPECT_TRUE(card.lesson.steps.front().show);
    ASSERT_TRUE(find_lesson(card.lesson.next));
    EXPECT_EQ(find_lesson(card.lesson.next)->lesson.kind, Lesson::Kind::lesson);
  }
}

}  // namespace lessons_test
}  // namespace upsweep
