// Tests which parts of a learner's progress are kept, and which parts are dropped when a lesson changes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/own_file.hpp"
#include "lessons/player.hpp"
#include "panels/keys.hpp"
#include "support/play_lesson.hpp"
#include "support/session_start.hpp"
#include "support/temporary_folder.hpp"

namespace upsweep {
namespace lesson_progress_test {

constexpr const char* text =
    "---\ntitle: Two questions\nminutes: 5\n---\nFirst.\n\n"
    "```show\nscan_blelloch --n 64 --step up-sweep:2 --view memory,banks\n```\n"
    "```ask\nwavefronts --step up-sweep:4 --request 1\n```\n"
    "Second.\n\n```order\nlines 39-41\n```\n";

// Esc does not end the question of a lesson. If the user starts a comparison, the question ends. After the
// user comes back to the lesson's run, the lesson asks the question again.
TEST(LessonProgress, AQuestionIsNotLost) {
  const TemporaryFolder folder;
  const std::string lesson = (folder / "two.md").string();
  std::ofstream(lesson) << text;
  Play play(lesson);
  Session& s = play.s;
  LessonPlayer& p = play.p;
  settle(s, p);
  ASSERT_TRUE(s.questioning().is_open());
  perform(s, {Action::escape, 0});
  settle(s, p);
  EXPECT_TRUE(s.questioning().is_open());
  EXPECT_FALSE(p.is_away());
  perform(s, {Action::compare, 0});
  settle(s, p);
  EXPECT_FALSE(s.questioning().is_open());
  EXPECT_TRUE(p.is_away());
  p.come_back();
  settle(s, p);
  EXPECT_TRUE(s.questioning().is_open());
  EXPECT_FALSE(p.is_away());
}

// An outcome belongs to a question and not to the number of a step, because editing a lesson changes the
// numbers.
TEST(LessonProgress, KeepsOutcomesWithTheirQuestions) {
  int changed_lessons = 0;
  for (const ReadLesson& read : shipped_lessons()) {
    SCOPED_TRACE(read.lesson.name);
    Lesson lesson = read.lesson;
    LessonProgress done, old;
    std::set<std::uint64_t> questions;
    for (int s = 0; s < std::ssize(lesson.steps); ++s) {
      const LessonStep& step = lesson.steps[static_cast<std::size_t>(s)];
      EXPECT_EQ(step.question != 0, step.has_task());
      if (!step.has_task()) continue;
      EXPECT_TRUE(questions.insert(step.question).second);
      const TaskOutcome outcome = s % 2 == 0 ? TaskOutcome::right : TaskOutcome::missed;
      done.outcomes[s] = {outcome, step.question};
      old.outcomes[s] = {outcome, 0};  // 0: files of older versions do not store the question
    }
    EXPECT_EQ(outcomes_in(lesson, done), done.outcomes);
    EXPECT_EQ(outcomes_in(lesson, old), done.outcomes);
    // Inserts a new first step, so the number of each old step increases by 1.
    lesson.steps.insert(lesson.steps.begin(), LessonStep{});
    const auto moved = outcomes_in(lesson, done);
    EXPECT_EQ(moved.size(), done.outcomes.size());
    for (const auto& [step, kept] : done.outcomes) EXPECT_EQ(moved.at(step + 1), kept);
    // When a question changes, its outcome is dropped.
    const int first = moved.begin()->first;
    lesson.steps[static_cast<std::size_t>(first)].question ^= 1;
    EXPECT_EQ(outcomes_in(lesson, done).size(), moved.size() - 1);
    EXPECT_FALSE(outcomes_in(lesson, done).contains(first));
    ++changed_lessons;
  }
  EXPECT_GT(changed_lessons, 20);
}

TEST(LessonProgress, DropsTheOutcomeOfAChangedQuestion) {
  const TemporaryFolder folder;
  const std::string file = (folder / "progress.json").string(), lesson = (folder / "two.md").string();
  const auto play = [&](const std::string& written, auto act) {
    std::ofstream(lesson) << written;
    Session s(start());
    LearnerProgress progress(file);
    LessonPlayer p(s, progress);
    p.open(lesson);
    settle(s, p);
    act(s, p);
    EXPECT_EQ(progress.take_notice(), "");
  };
  play(text, [](Session& s, LessonPlayer& p) {
    reply(s, p, true);
    p.next();
    for (const int line : p.ordering()->answer) p.toggle_line(line);
    p.commit_order();
    EXPECT_TRUE(p.is_done());
  });
  std::string moved = text;
  moved.insert(moved.find("First."), "Before.\n\n---\n\n");
  play(moved, [](Session&, LessonPlayer& p) {
    EXPECT_EQ(p.outcome(0), TaskOutcome::open);
    EXPECT_EQ(p.outcome(1), TaskOutcome::right);
    EXPECT_EQ(p.outcome(2), TaskOutcome::right);
  });
  std::string changed = moved;
  changed.replace(changed.find("--step up-sweep:4"), 17, "--step up-sweep:8");
  play(changed, [](Session& s, LessonPlayer& p) {
    EXPECT_EQ(p.step_index(), 1) << "nobody gets past a question that is not answered";
    EXPECT_EQ(p.outcome(1), TaskOutcome::open);
    EXPECT_EQ(p.outcome(2), TaskOutcome::right);
    reply(s, p, false);
    reply(s, p, true);
    EXPECT_EQ(p.outcome(1), TaskOutcome::missed);
  });
  // In a file of an older version, outcomes have only the numbers of steps.
  std::ofstream(file) << R"({"asked":0,"right":0,"lessons":{")" << lesson
                      << R"(":{"step":1,"answers":{"0":"missed","1":"right"}}}})";
  play(text, [](Session&, LessonPlayer& p) {
    EXPECT_EQ(p.outcome(0), TaskOutcome::missed);
    EXPECT_EQ(p.outcome(1), TaskOutcome::right);
  });
}

// A damaged file must not be overwritten if the program cannot rename the file.
TEST(LessonProgress, NeverOverwritesADamagedFile) {
  const TemporaryFolder folder;
  const std::string damaged = "{\"lessons\": [";
  // A file name has at most 255 bytes. A file whose name has 255 bytes cannot be renamed to a longer name.
  for (const std::size_t length : {std::size_t{20}, std::size_t{255}}) {
    const std::string file = (folder / std::string(length, 'p')).string();
    std::ofstream(file) << damaged;
    LearnerProgress progress(file);
    const std::string notice = progress.take_notice();
    const bool is_renamed = length == 20;
    std::error_code none;
    EXPECT_NE(notice.find(is_renamed ? "was renamed to" : "cannot be renamed"), notice.npos) << notice;
    EXPECT_EQ(notice.find("not saved") == notice.npos, is_renamed) << notice;
    progress.set("a", {1, {{0, {TaskOutcome::right, 7}}}});
    const std::string kept = is_renamed ? file + ".damaged" : file;
    std::ifstream in(kept);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), damaged) << kept;
    EXPECT_EQ(std::filesystem::exists(file + ".damaged", none), is_renamed);
  }
  EXPECT_FALSE(set_aside((folder / "no-such-file").string()));
}

TEST(LessonProgress, KeepsTheAnswersOfTwoWindowsInOneLesson) {
  const TemporaryFolder folder;
  const std::string file = (folder / "progress.json").string();
  LearnerProgress one(file), other(file);
  const KeptOutcome right{TaskOutcome::right, 7}, missed{TaskOutcome::missed, 8};
  one.set("a", {0, {{0, right}}});
  other.set("a", {1, {}});
  EXPECT_EQ(other.of("a"), (LessonProgress{1, {{0, right}}}));
  other.set("a", {1, {{0, right}, {1, missed}}});
  one.set("a", {2, {{0, right}}});
  EXPECT_EQ(one.of("a"), (LessonProgress{2, {{0, right}, {1, missed}}}));
  // The user answers the same question in two windows. The first answer counts.
  one.set("a", {2, {{0, right}, {1, missed}, {2, {TaskOutcome::missed, 9}}}});
  other.set("a", {2, {{0, right}, {1, missed}, {2, {TaskOutcome::right, 9}}}});
  EXPECT_EQ(other.of("a").outcomes.at(2).outcome, TaskOutcome::missed);
  // The lesson has changed, so each window has another question in step 4. The file must keep both answers.
  one.set("a", {3, {{0, right}, {1, missed}, {3, {TaskOutcome::right, 10}}}});
  other.set("a", {3, {{0, right}, {1, missed}, {3, {TaskOutcome::right, 11}}}});
  std::set<std::uint64_t> questions;
  const LearnerProgress both(file);
  for (const auto& [step, kept] : both.of("a").outcomes) questions.insert(kept.question);
  EXPECT_EQ(questions, (std::set<std::uint64_t>{7, 8, 10, 11}));
}

TEST(LessonProgress, TwoWindowsPlayOneLesson) {
  const TemporaryFolder folder;
  const std::string file = (folder / "progress.json").string(), lesson = (folder / "two.md").string();
  std::ofstream(lesson) << text;
  Session s(start()), other_s(start());
  LearnerProgress progress(file), other_progress(file);
  LessonPlayer p(s, progress), other_p(other_s, other_progress);
  p.open(lesson);
  settle(s, p);
  other_p.open(lesson);
  settle(other_s, other_p);
  reply(s, p, true);
  p.next();
  for (const int line : p.ordering()->answer) p.toggle_line(line);
  p.commit_order();
  EXPECT_TRUE(p.is_done());
  reply(other_s, other_p, false);
  reply(other_s, other_p, true);
  EXPECT_TRUE(other_p.is_done());
  EXPECT_EQ(other_p.outcome(0), TaskOutcome::right) << "the first answer counts";
  EXPECT_EQ(LearnerProgress(file).of(lesson).outcomes, progress.of(lesson).outcomes);
}

// If the file becomes damaged while a window is open, the window still has the progress and saves it again.
TEST(LessonProgress, KeepsItsMemoryWhenTheFileBecomesDamaged) {
  const TemporaryFolder folder;
  const std::string file = (folder / "progress.json").string();
  const KeptOutcome right{TaskOutcome::right, 7};
  LearnerProgress progress(file);
  progress.set("a", {0, {{0, right}}});
  progress.add_to_score(3, 2);
  std::ofstream(file) << R"({"asked":9,"right":9,"lessons":{"b":{"answers":{)";
  progress.set("c", {1, {{1, right}}});
  EXPECT_NE(progress.take_notice().find("in a new file"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(file + ".damaged"));
  for (const LearnerProgress& seen : {progress, LearnerProgress(file)}) {
    EXPECT_EQ(seen.of("a").outcomes.size(), 1u);
    EXPECT_EQ(seen.of("c").outcomes.size(), 1u);
    EXPECT_EQ(seen.asked(), 3);
    EXPECT_EQ(seen.right(), 2);
  }
  if (geteuid() == 0) return;  // root may read every file
  std::filesystem::permissions(file, std::filesystem::perms::none);
  progress.set("d", {1, {{1, right}}});
  EXPECT_NE(progress.take_notice().find("not saved"), std::string::npos);
  EXPECT_EQ(progress.of("a").outcomes.size(), 1u);
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  progress.add_to_score(1, 1);
  EXPECT_EQ(LearnerProgress(file).of("d").outcomes.size(), 1u);
}

TEST(LessonProgress, SavesAgainAfterAFailure) {
  const TemporaryFolder folder;
  const std::filesystem::path own = folder / "own";
  const std::string file = (own / "progress.json").string();
  std::ofstream(own) << "This file is in the way of the folder.";
  const KeptOutcome right{TaskOutcome::right, 7};
  LearnerProgress progress(file);
  progress.set("a", {0, {{0, right}}});
  EXPECT_NE(progress.take_notice().find("not saved"), std::string::npos);
  progress.add_to_score(3, 2);
  EXPECT_EQ(progress.take_notice(), "") << "the notice appears once";
  EXPECT_EQ(progress.of("a").outcomes.size(), 1u);
  std::filesystem::remove(own);
  {
    LearnerProgress other(file);
    other.set("b", {0, {{0, right}}});
    other.add_to_score(2, 2);
  }
  progress.set("a", {1, {{0, right}}});
  EXPECT_EQ(progress.take_notice(), "");
  const LearnerProgress both(file);
  EXPECT_EQ(both.of("a"), (LessonProgress{1, {{0, right}}}));
  EXPECT_EQ(both.of("b").outcomes.size(), 1u);
  EXPECT_EQ(both.asked(), 5);
  EXPECT_EQ(both.right(), 4);
}

}  // namespace lesson_progress_test
}  // namespace upsweep
