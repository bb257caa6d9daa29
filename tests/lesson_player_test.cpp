// Plays lessons in a session. A learner must answer a question before going on, and restarting the program
// must change nothing.
#include <gtest/gtest.h>

#include <fstream>

#include "lessons/player.hpp"
#include "support/play_lesson.hpp"
#include "support/session_start.hpp"
#include "support/temporary_folder.hpp"

namespace upsweep {
namespace lesson_player_test {

constexpr const char* text =
    "---\ntitle: Two questions\nminutes: 5\n---\nFirst.\n\n"
    "```show\nscan_blelloch --n 64 --step up-sweep:2 --view memory,banks\n```\n"
    "```ask\nwavefronts --step up-sweep:4 --request 1\nmisread 7: Seven is my own mistake.\nhint: Count the "
    "banks.\n```\n"
    "Second.\n\n```order\nlines 39-41\nequal 39 40\n```\n"
    "Last.\n\n```show\nreduce_sequential --n 64 --step 2 --view tree\n```\n";

TEST(LessonPlayer, LetsNobodyPastAQuestion) {
  Play play(OpenedLesson{read_lesson("two", text), {}, {}});
  Session& s = play.s;
  LessonPlayer& p = play.p;
  settle(s, p);
  ASSERT_TRUE(p.is_open());
  ASSERT_TRUE(s.questioning().is_open());
  EXPECT_EQ(s.cursor().step, 2) << "the question hides step 4";
  EXPECT_LT(s.recording().trace.events.size(), s.whole_recording()->trace.events.size());
  p.next();
  EXPECT_EQ(p.step_index(), 0);
  p.go_to(2);
  EXPECT_EQ(p.step_index(), 0);
  s.show_reply();
  EXPECT_TRUE(s.questioning().is_open()) << "the answer comes only after a reply";
  s.mark_number(7);
  s.commit_reply();
  EXPECT_EQ(s.questioning().remark(), "Seven is my own mistake.");
  p.next();
  EXPECT_EQ(p.step_index(), 0);
  s.mark_number(9);
  EXPECT_EQ(s.questioning().stage(), Questioning::Stage::again);
  s.commit_reply();
  settle(s, p);
  EXPECT_EQ(p.outcome(0), TaskOutcome::missed);
  p.next();
  EXPECT_EQ(p.step_index(), 1);
  EXPECT_FALSE(s.looks.asking);
  ASSERT_TRUE(p.order_is_open());
  p.next();
  EXPECT_EQ(p.step_index(), 1);
  for (const int line : p.ordering()->answer) p.toggle_line(line);
  p.commit_order();
  EXPECT_EQ(p.outcome(1), TaskOutcome::right);
  p.next();
  settle(s, p);
  EXPECT_EQ(p.step_index(), 2);
  EXPECT_EQ(s.settings().algorithm, "reduce_sequential");
  EXPECT_EQ(s.cursor().step, 1);
  EXPECT_EQ(views()[static_cast<std::size_t>(s.looks.chosen)].name, std::string_view("tree"));
  EXPECT_TRUE(p.is_done());
}

// `next` is the name of a lesson in the same folder or of a lesson that comes with the program. `next` must
// not be a path.
TEST(LessonPlayer, GoesOnWithTheNextLessonOfTheFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "course");
  const auto write = [&](const std::string& name, const std::string& next) {
    std::string lesson = text;
    lesson.replace(lesson.find("minutes"), 0, "next: " + next + "\n");
    std::ofstream((folder / name).string()) << lesson;
    return (folder / name).string();
  };
  const std::string second = write("course/02-b.md", "padding"), outside = write("outside.md", "b"),
                    first = write("course/01-a.md", "b"), third = write("course/03-c.md", "../outside.md"),
                    fourth = write("course/04-d.md", outside);
  Session s(start());
  LearnerProgress progress;
  LessonPlayer p(s, progress);
  const auto opened_after = [&](const std::string& file) {
    p.open(file);
    settle(s, p);
    p.open_next();
    settle(s, p);
    return p.name();
  };
  EXPECT_EQ(opened_after(first), second);
  EXPECT_EQ(opened_after(second), "11-padding");
  EXPECT_EQ(opened_after(third), third);
  EXPECT_EQ(opened_after(fourth), fourth);
}

// In the list, the lessons in the folder of the last opened file are above the lessons of the program.
TEST(LessonPlayer, ListsTheLessonsOfTheFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "course" / "not-this.md");
  for (const char* name : {"course/02-b.md", "course/01-a.md", "outside.md"})
    std::ofstream(folder / name) << text;
  std::ofstream(folder / "course" / "README.md") << "# Not a lesson\n";
  std::ofstream(folder / "course" / "03-c.txt") << text;
  Session s(start());
  LearnerProgress progress;
  LessonPlayer p(s, progress);
  const auto names = [&] {
    std::vector<std::string> all;
    for (const LessonPlayer::Listed& l : p.listed()) all.push_back(l.lesson->name);
    return all;
  };
  std::vector<std::string> due;
  for (const ReadLesson& read : shipped_lessons()) due.push_back(read.lesson.name);
  EXPECT_EQ(names(), due);
  EXPECT_EQ(p.listed_in_folder(), 0);
  p.open((folder / "course" / "02-b.md").string());
  settle(s, p);
  p.open("11-padding");
  settle(s, p);
  p.close();
  due.insert(due.begin(), {"01-a", "02-b"});
  EXPECT_EQ(names(), due);
  EXPECT_EQ(p.listed_in_folder(), 2);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, due.size() - 1}) {
    const std::string name = p.listed()[i].name;
    p.open(name);
    settle(s, p);
    ASSERT_TRUE(p.is_open()) << s.error();
    EXPECT_EQ(p.lesson().name, due[i]);
    EXPECT_EQ(p.name(), name) << "the progress is kept under this name";
    p.close();
  }
}

TEST(LessonPlayer, KeepsTheProgressOfTwoWindows) {
  const TemporaryFolder folder;
  const std::string file = (folder / "progress.json").string();
  LearnerProgress one(file), other(file);
  one.set("a", {1, {{0, {TaskOutcome::right, 7}}}});
  other.set("b", {2, {{1, {TaskOutcome::missed, 8}}}});
  one.add_to_score(2, 1);
  other.add_to_score(3, 3);
  const LearnerProgress both(file);
  EXPECT_EQ(both.of("a").outcomes.size(), 1u);
  EXPECT_EQ(both.of("b").outcomes.size(), 1u);
  EXPECT_EQ(both.asked(), 5);
  EXPECT_EQ(both.right(), 4);
}

TEST(LessonPlayer, HoldsNobodyAtAQuestionWithoutARun) {
  Play play(OpenedLesson{
      read_lesson("none",
                  "---\ntitle: None\nminutes: 5\n---\nText.\n\n```ask\nwavefronts --step 3\n```\n"
                  "More text.\n"),
      {},
      {}});
  Session& s = play.s;
  LessonPlayer& p = play.p;
  settle(s, p);
  EXPECT_FALSE(p.is_open_task());
  p.next();
  EXPECT_EQ(p.step_index(), 1);
}

TEST(LessonPlayer, JudgesOnlyAfterEnter) {
  Play play(OpenedLesson{read_lesson("two", text), {}, {}});
  Session& s = play.s;
  LessonPlayer& p = play.p;
  settle(s, p);
  s.mark_number(7);
  s.commit_reply();
  ASSERT_EQ(s.questioning().remark(), "Seven is my own mistake.");
  s.mark_number(9);
  EXPECT_EQ(s.questioning().remark(), "Seven is my own mistake.") << "the new reply is not judged yet";
  s.erase_reply();
  for (const char c : {'3', '7'}) s.type_reply(c);
  s.erase_reply();
  s.type_reply('6');
  EXPECT_EQ(s.questioning().typed(), "36");
}

// If the lesson has no explanation for a wrong answer, the window must show the next hint. After the last
// hint, the window must show the answer.
TEST(LessonPlayer, ShowsOneHintAfterTheOther) {
  const std::vector<std::string> all = {"Hint one.", "Hint two.", "Hint three."};
  for (std::size_t hints = 0; hints <= all.size(); ++hints) {
    SCOPED_TRACE(hints);
    std::string lines;
    for (std::size_t i = 0; i < hints; ++i) lines += "hint: " + all[i] + "\n";
    std::string lesson = text;
    lesson.replace(lesson.find("hint: Count the banks.\n"), 23, lines);
    lesson.replace(lesson.find("equal 39 40\n"), 12, lines);
    Play play(OpenedLesson{read_lesson("hints", lesson), {}, {}});
    Session& s = play.s;
    LessonPlayer& p = play.p;
    settle(s, p);
    ASSERT_TRUE(s.questioning().is_open());
    const std::size_t tries = std::max<std::size_t>(2, hints + 1);
    for (std::size_t i = 0; i < tries; ++i) {
      ASSERT_TRUE(s.questioning().is_open());
      s.mark_number(20 + static_cast<int>(i));
      s.commit_reply();
      EXPECT_EQ(s.questioning().remark(), i < hints ? all[i] : "");
    }
    settle(s, p);
    EXPECT_EQ(s.questioning().stage(), Questioning::Stage::shown);
    EXPECT_EQ(p.outcome(0), TaskOutcome::missed);
    p.next();
    ASSERT_TRUE(p.order_is_open());
    p.toggle_line(p.ordering()->answer.back());
    for (std::size_t i = 0; i < tries; ++i) {
      ASSERT_TRUE(p.order_is_open());
      p.commit_order();
      EXPECT_EQ(p.order_hint(), i < hints ? all[i] : "");
    }
    EXPECT_FALSE(p.order_is_open());
    EXPECT_EQ(p.outcome(1), TaskOutcome::missed);
  }
}

// If the lesson has an explanation for a wrong answer, the window must show this explanation and no hint.
TEST(LessonPlayer, KeepsTheHintsForAnswersThatNothingExplains) {
  std::string lesson = text;
  lesson.insert(lesson.find("hint: Count"), "hint: Look first.\n");
  Play play(OpenedLesson{read_lesson("hints", lesson), {}, {}});
  Session& s = play.s;
  LessonPlayer& p = play.p;
  settle(s, p);
  std::vector<std::string> said;
  for (const int number : {7, 21, 22}) {
    s.mark_number(number);
    s.commit_reply();
    said.push_back(s.questioning().remark());
  }
  EXPECT_EQ(said, (std::vector<std::string>{"Seven is my own mistake.", "Look first.", "Count the banks."}));
  EXPECT_EQ(s.questioning().stage(), Questioning::Stage::shown);
}

TEST(LessonPlayer, TakesTheFirstAnswerInATest) {
  Session s(start());
  LearnerProgress progress;
  LessonPlayer p(s, progress);
  std::string test = text;
  test.replace(test.find("minutes"), 0, "kind: test\n");
  p.open(OpenedLesson{read_lesson("test", test), {}, {}});
  settle(s, p);
  ASSERT_TRUE(s.questioning().is_open());
  s.commit_reply();
  EXPECT_EQ(s.questioning().notice(), "Choose an answer first.");
  EXPECT_EQ(s.banner().text, "") << "the views stay where they are";
  s.mark_number(7);
  EXPECT_EQ(s.questioning().notice(), "");
  s.commit_reply();
  settle(s, p);
  EXPECT_EQ(s.questioning().stage(), Questioning::Stage::shown);
  EXPECT_EQ(p.outcome(0), TaskOutcome::missed);
  p.next();
  ASSERT_TRUE(p.order_is_open());
  p.commit_order();
  EXPECT_TRUE(p.order_is_open()) << "no line is chosen";
  std::vector<int> wrong = p.ordering()->answer;
  std::ranges::reverse(wrong);
  for (const int line : wrong) p.toggle_line(line);
  p.commit_order();
  EXPECT_FALSE(p.order_is_open());
  EXPECT_EQ(p.outcome(1), TaskOutcome::missed);
}

TEST(LessonPlayer, GoesOnAfterARestart) {
  const TemporaryFolder folder;
  const std::string file = (folder / "own" / "progress.json").string(), lesson = (folder / "two.md").string();
  std::ofstream(lesson) << text;
  {
    Session s(start());
    LearnerProgress progress(file);
    LessonPlayer p(s, progress);
    p.open(lesson);
    settle(s, p);
    reply(s, p, true);
    p.next();
    progress.add_to_score(7, 5);
    EXPECT_EQ(progress.take_notice(), "");
  }
  Session s(start());
  LearnerProgress progress(file);
  EXPECT_EQ(progress.asked(), 7);
  EXPECT_EQ(progress.right(), 5);
  LessonPlayer p(s, progress);
  p.open(lesson);
  settle(s, p);
  EXPECT_EQ(p.step_index(), 1);
  EXPECT_EQ(p.outcome(0), TaskOutcome::right);
  // The program must rename a damaged file, so that the file is not lost.
  std::ofstream(file) << "{\"lessons\": [";
  LearnerProgress damaged(file);
  EXPECT_NE(damaged.take_notice().find("damaged"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(file + ".damaged"));
  EXPECT_EQ(damaged.asked(), 0);
}

TEST(LessonPlayer, ShowsTheFileAgainAfterAChange) {
  const TemporaryFolder folder;
  const std::string lesson = (folder / "two.md").string();
  std::ofstream(lesson) << text;
  Play play(lesson);
  Session& s = play.s;
  LessonPlayer& p = play.p;
  settle(s, p);
  const auto change = [&](const std::string& to) {
    std::ofstream(lesson) << to;
    std::filesystem::last_write_time(lesson,
                                     std::filesystem::last_write_time(lesson) + std::chrono::seconds(2));
    settle(s, p);
  };
  std::string changed = text;
  changed.replace(changed.find("First."), 6, "Anew.");
  change(changed);
  EXPECT_EQ(p.step().texts.front().runs.front().text, "Anew.");
  EXPECT_TRUE(s.questioning().is_open());
  change("no lesson");
  EXPECT_TRUE(p.is_open());
  EXPECT_FALSE(p.mistakes().empty()) << "the last good text stays, and the mistakes are shown";
}

TEST(LessonPlayer, SaysWhenTheWindowShowsAnotherRun) {
  Play play(OpenedLesson{read_lesson("two", text), {}, {}});
  Session& s = play.s;
  LessonPlayer& p = play.p;
  settle(s, p);
  EXPECT_FALSE(p.is_away());
  s.set_n(32);
  settle(s, p);
  EXPECT_TRUE(p.is_away());
  EXPECT_FALSE(s.looks.asking) << "the question was about the lesson's run";
  p.come_back();
  settle(s, p);
  EXPECT_FALSE(p.is_away());
  EXPECT_TRUE(s.questioning().is_open());
}

TEST(LessonPlayer, RefusesWhatIsNoLesson) {
  const TemporaryFolder folder;
  std::ofstream(folder / "empty.md").flush();
  std::ofstream(folder / "title.md") << "---\ntitle: x\nminutes: 5\n---\n";
  for (const std::string& name : {std::string("no-such-lesson"), std::string("/dev/zero"), std::string("/"),
                                  std::string(), std::string("padding2"), (folder / "empty.md").string(),
                                  (folder / "title.md").string(), (folder / "none.md").string()}) {
    SCOPED_TRACE(name);
    Session s(start());
    LearnerProgress progress;
    LessonPlayer p(s, progress);
    EXPECT_EQ(s.error(), "");
    p.open(name);
    EXPECT_FALSE(p.is_open());
    EXPECT_TRUE(s.error().ends_with('.')) << s.error();
    // If the learner opens another lesson and this lesson cannot be opened, the current lesson stays open.
    p.open("padding");
    EXPECT_TRUE(p.is_open());
    p.open(name);
    ASSERT_TRUE(p.is_open());
    EXPECT_EQ(p.name(), "11-padding");
  }
}

TEST(LessonPlayer, PlaysEveryLessonToItsEnd) {
  Session s(start());
  LearnerProgress progress;
  LessonPlayer p(s, progress);
  play_all(s, p, [] {});
}

}  // namespace lesson_player_test
}  // namespace upsweep
