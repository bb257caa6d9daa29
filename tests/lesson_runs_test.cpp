// Tests that a lesson asks questions only about its own run. If a lesson has a mistake or a run fails, the
// learner must still be able to go on.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "lessons/player.hpp"
#include "support/gated_session.hpp"
#include "support/play_lesson.hpp"
#include "support/temporary_folder.hpp"
#include "trace/file.hpp"

namespace upsweep {
namespace lesson_runs_test {

const std::string front = "---\ntitle: A lesson\nminutes: 5\n---\n",
                  ask = "```ask\nwavefronts --step up-sweep:4 --request 1\n```\n";

std::string show(const std::string& run) { return "```show\n" + run + "\n```\n"; }

OpenedLesson opened(const std::string& name, const std::string& text) {
  return {read_lesson(name, front + text), {}, {}};
}

// Returns a Session::Start for a session that waits only for its first recording.
Session::Start start_without_waiting() {
  Session::Start begin = start();
  begin.moment = 0;
  return begin;
}

const std::string large_run = "Text.\n\n" + show("scan_blelloch --n 1024 --step up-sweep:2") + ask;
constexpr int large = 1024;

// If the user cancels the recording of a lesson's run, the window shows another run. The lesson must then ask
// no question.
TEST(LessonRuns, AsksNothingAfterTheRecordingWasCancelled) {
  Gate gate;
  Play play(opened("large", large_run), impatient(gated(gate, large)));
  Session& s = play.s;
  LessonPlayer& p = play.p;
  ASSERT_TRUE(s.recording_under_way());
  EXPECT_FALSE(p.is_away());
  // After an error that has nothing to do with the recording, the learner must not be able to skip the
  // question.
  s.complain("An unrelated error.");
  p.tick();
  EXPECT_TRUE(s.cancel());
  p.tick();
  EXPECT_TRUE(p.is_away());
  EXPECT_TRUE(p.is_open_task());
  EXPECT_FALSE(s.questioning().is_posed());
  gate.open = true;
  p.come_back();
  settle(s, p);
  EXPECT_FALSE(p.is_away());
  EXPECT_EQ(s.settings().n, large);
  EXPECT_TRUE(s.questioning().is_open());
}

// If the user chooses other data or another machine, the lesson must ask nothing about the new run. This
// applies both while the lesson's run is recorded and after this recording.
TEST(LessonRuns, AdoptsNoRunWithOtherDataOrOnAnotherMachine) {
  for (const Request& other : {Request{.data = DataSource{DataSource::Kind::seed, 17, {}}},
                               Request{.machine = MachineChoice::automatic}}) {
    Gate gate;
    Play play(opened("large", large_run), impatient(gated(gate, large)));
    Session& s = play.s;
    LessonPlayer& p = play.p;
    ASSERT_TRUE(s.recording_under_way());
    const DataSource data = s.data();
    EXPECT_NE(s.apply(other), Answer::refused);
    gate.open = true;
    settle(s, p);
    EXPECT_EQ(s.settings().n, large) << "the settings are the settings of the lesson's run";
    EXPECT_TRUE(p.is_away());
    EXPECT_FALSE(s.questioning().is_posed());
    p.come_back();
    settle(s, p);
    EXPECT_FALSE(p.is_away());
    EXPECT_TRUE(s.questioning().is_open());
    EXPECT_EQ(s.data(), data);
    EXPECT_EQ(s.machine(), MachineChoice::emulated);
    EXPECT_NE(s.apply(other), Answer::refused);
    settle(s, p);
    EXPECT_TRUE(p.is_away());
    EXPECT_FALSE(s.questioning().is_posed());
  }
}

// Creates a folder with two equal recordings, and with a lesson that opens one of them.
class LessonRecording : public testing::Test {
 protected:
  LessonRecording() : s_(start_without_waiting()), p_(s_, progress_) {
    for (const std::string& file : {kept_, other_}) write_trace(file, s_.whole_recording()->trace);
    std::ofstream(lesson_) << front << "Text.\n\n" << show("--trace kept.upsweep --step up-sweep:2") << ask;
  }

  const TemporaryFolder folder_;
  const std::string kept_ = (folder_ / "kept.upsweep").string(),
                    other_ = (folder_ / "other.upsweep").string(), lesson_ = (folder_ / "own.md").string();
  Session s_;
  LearnerProgress progress_;
  LessonPlayer p_;
};

TEST_F(LessonRecording, IsNotMistakenForAnotherRecording) {
  p_.open(lesson_);
  EXPECT_NE(s_.open(other_), Answer::refused);
  settle(s_, p_);
  EXPECT_EQ(s_.opened().name, "other.upsweep");
  EXPECT_TRUE(p_.is_away());
  EXPECT_FALSE(s_.questioning().is_posed());
  p_.come_back();
  settle(s_, p_);
  EXPECT_EQ(s_.opened().name, "kept.upsweep");
  EXPECT_FALSE(p_.is_away());
  EXPECT_TRUE(s_.questioning().is_open());
}

TEST_F(LessonRecording, MayBeDeletedAfterItWasOpened) {
  p_.open(lesson_);
  s_.settle(20);
  ASSERT_TRUE(s_.shows_opened());
  std::filesystem::remove(kept_);
  EXPECT_NO_THROW(p_.tick());
  settle(s_, p_);
  EXPECT_FALSE(p_.is_away());
  EXPECT_TRUE(s_.questioning().is_open());
  EXPECT_TRUE(p_.is_open_task());
  p_.come_back();
  EXPECT_NE(s_.error(), "");
  EXPECT_FALSE(p_.is_open_task()) << "the recording is gone, so the question cannot be asked again";
}

TEST(LessonRuns, HoldsNobodyAtAQuestionThatCannotBeAsked) {
  for (const std::string& impossible :
       {std::string("```ask\nwavefronts --step 999\n```\n"), std::string("```order\nlines 9000-9001\n```\n"),
        show("scan_blelloch --n 64 --machine gpu") + ask, show("--trace no-such-file.upsweep") + ask})
    for (const Session::Start& begin : {start(), start_without_waiting()}) {
      SCOPED_TRACE(impossible);
      Play play(opened("impossible", "First.\n\n" + show("scan_blelloch --n 64") + "\n---\n\nSecond.\n\n" +
                                         impossible + "Third.\n\n---\n\nFourth.\n"),
                begin);
      Session& s = play.s;
      LessonPlayer& p = play.p;
      for (int step = 0; step < 4; ++step) {
        settle(s, p);
        EXPECT_EQ(p.step_index(), step);
        EXPECT_FALSE(p.is_open_task());
        EXPECT_FALSE(p.is_away());
        p.next();
      }
      EXPECT_TRUE(p.is_last());
      EXPECT_TRUE(p.is_done());
    }
}

// The first lesson cannot ask its question, because its run needs a GPU. The second lesson has the same
// question about another run, and must ask the question.
TEST(LessonRuns, ForgetsWhichQuestionsOfAnotherLessonCouldNotBeAsked) {
  Session s(start());
  LearnerProgress progress;
  progress.set("good", {2, {}});
  LessonPlayer p(s, progress);
  const std::string rest = ask + "Second.\n\n---\n\nThird.\n";
  p.open(opened("impossible", "First.\n\n" + show("scan_blelloch --n 64 --machine gpu") + rest));
  settle(s, p);
  EXPECT_FALSE(p.is_open_task());
  p.open(opened("good", "First.\n\n" + show("scan_blelloch --n 64") + rest));
  settle(s, p);
  EXPECT_EQ(p.step_index(), 0);
  EXPECT_TRUE(p.is_open_task());
  EXPECT_TRUE(s.questioning().is_open());
}

// A folder without files *.md has no lessons, but a person can open another file in this folder.
TEST(LessonRuns, PlaysALessonInAFolderWithoutLessons) {
  const TemporaryFolder folder;
  const std::string lesson = (folder / "steps.txt").string(),
                    with_next = "---\ntitle: Steps\nminutes: 5\nnext: padding\n---\n";
  std::ofstream(lesson) << with_next << "One.\n\n---\n\nTwo.\n\n---\n\nThree.\n";
  Play play(lesson);
  Session& s = play.s;
  LessonPlayer& p = play.p;
  ASSERT_TRUE(p.is_open()) << s.error();
  p.go_to(2);
  EXPECT_EQ(p.step_index(), 2);
  std::ofstream(lesson) << with_next << "Anew.\n";
  std::filesystem::last_write_time(lesson,
                                   std::filesystem::last_write_time(lesson) + std::chrono::seconds(2));
  EXPECT_NO_THROW(p.tick());
  EXPECT_EQ(p.step_index(), 0);
  EXPECT_EQ(p.step().texts.front().runs.front().text, "Anew.");
  EXPECT_NO_THROW(p.follow_language());
  EXPECT_EQ(s.error(), "");
  p.open_next();
  settle(s, p);
  EXPECT_EQ(p.name(), "11-padding");
}

TEST(LessonRuns, KeepsTheNextLessonIfItCannotBeOpened) {
  const TemporaryFolder folder;
  const std::string first = (folder / "01-a.md").string(), second = (folder / "02-b.md").string();
  std::ofstream(first) << "---\ntitle: A\nminutes: 5\nnext: b\n---\nText.\n";
  std::ofstream(second) << front << "Text.\n";
  Play play(first);
  Session& s = play.s;
  LessonPlayer& p = play.p;
  std::filesystem::remove(second);
  p.open_next();
  EXPECT_NE(s.error(), "");
  EXPECT_EQ(p.name(), first);
  EXPECT_TRUE(p.has_next());
  std::ofstream(second) << front << "Text.\n";
  p.open_next();
  EXPECT_EQ(p.name(), second);
}

}  // namespace lesson_runs_test
}  // namespace upsweep
