// Checks the lessons, the test and the cards that come with the program.
#include <gtest/gtest.h>

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
  // Texts of lessons and cards name these numbers.
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
