// Plays a lesson in a session: shows each step's run, asks its question, and keeps a record of the learner's
// answers.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lessons/course.hpp"
#include "lessons/progress.hpp"
#include "lessons/stage.hpp"
#include "study/session.hpp"

namespace upsweep {

class LessonPlayer {
 public:
  LessonPlayer(Session& session, LearnerProgress& progress) : session_(session), progress_(progress) {}

  // Opens a lesson by its name or file, at the learner's last step. If the lesson cannot be opened, the
  // session's banner says why, and nothing changes.
  void open(const std::string& name);
  void open(OpenedLesson opened);
  void open_next();  // opens the lesson that this lesson names as the next lesson
  bool has_next() const { return !next_.empty(); }
  void close();
  bool is_open() const { return opened_.has_value(); }
  // The lessons in the folder of the file that was opened last, and then the lessons that come with the
  // program.
  struct Listed {
    const Lesson* lesson;
    std::string name;  // the name with which open() opens the lesson
  };
  std::vector<Listed> listed() const;
  // The number of lessons in listed() that are in the folder of the file that was opened last.
  int listed_in_folder() const { return static_cast<int>(folder_lessons_.size()); }
  // The functions from here to come_back() require is_open().
  const OpenedLesson& opened() const { return *opened_; }
  const Lesson& lesson() const { return opened_->read.lesson; }
  // The name with which open() opens this lesson.
  const std::string& name() const { return opened_->file.empty() ? lesson().name : opened_->file; }
  const std::vector<Mistake>& mistakes() const { return opened_->read.mistakes; }
  int step_index() const { return step_; }
  const LessonStep& step() const { return lesson().steps.at(static_cast<std::size_t>(step_)); }
  TaskOutcome outcome(int step) const;
  // Returns true if the step has a question that the learner has not answered, but can answer. In this case,
  // next() does nothing.
  bool is_open_task() const { return is_open_task(step_); }
  // Returns true if the lesson is a test. In a test, the first answer to a question counts, and no question
  // is asked again.
  bool is_test() const { return lesson().kind == Lesson::Kind::test; }
  bool is_last() const { return step_ + 1 == static_cast<int>(lesson().steps.size()); }
  // Returns true if the learner has answered every question that can be asked.
  bool is_done() const;
  void next();
  void back();
  void go_to(int step);
  // Asks the step's question once more.
  void ask_again();
  // Returns true if the window no longer shows the run and the question of the lesson's step. come_back()
  // shows this run and asks the question again.
  bool is_away() const;
  void come_back() { arrange(); }

  // The lines that the learner puts in order; null if the step has no such lines. A reply contains indices
  // into Ordering::lines.
  const Ordering* ordering() const { return ordering_ ? &*ordering_ : nullptr; }
  const std::vector<int>& order_reply() const { return order_reply_; }
  const std::vector<int>& judged_order() const { return judged_order_; }  // the latest reply that was judged
  bool order_is_open() const { return ordering_ && !order_shown_; }
  int order_tries() const { return order_tries_; }
  // The hint that is shown after the latest wrong order; empty if there is no hint.
  std::string order_hint() const;
  void toggle_line(int line);  // puts a line at the end of the reply, or takes it out of the reply
  void commit_order();         // judges the order; does nothing before the first line is chosen

  // Must be called after the language of the program has changed. Shows the lesson's texts in the new
  // language. The run, the question and the reply stay.
  void follow_language();
  // Goes to the step's place when the step's run has arrived, stores outcomes, and reads the lesson's file
  // again after a change. Returns whether anything changed.
  bool tick();
  // Returns the number of seconds until tick() should be called. Returns a negative number if tick() need not
  // be called.
  double next_tick_in() const;

 private:
  // An opened recording or a run, which the session shows or will show.
  struct Wanted {
    std::string file{};  // the name with which the recording is opened; empty for a run
    Settings settings{};
    DataSource data{};
    MachineChoice machine = MachineChoice::automatic;
    bool operator==(const Wanted&) const = default;
  };
  Wanted wanted() const;
  // Returns the block `show` that decides which run this step shows. The block may be in an earlier step.
  // Returns null if there is no such block, or if the block cannot be read.
  const ShowBlock* show_of(int step) const;
  bool is_open_task(int step) const;
  void replace(OpenedLesson opened);
  void store(LessonProgress progress);
  void arrange();
  void settle();
  void follow_question();
  void read_again();
  void follow_file();
  void keep(TaskOutcome outcome);
  void begin_task();
  void complain(const Error& e);
  static std::string next_of(const OpenedLesson& opened);

  Session& session_;
  LearnerProgress& progress_;
  std::optional<OpenedLesson> opened_;
  std::string folder_;  // the folder of the file that was opened last
  std::vector<OpenedLesson> folder_lessons_;
  int step_ = 0;
  std::string next_;
  std::map<int, KeptOutcome> outcomes_;  // see outcomes_in()
  // The questions (LessonStep::question) that could not be asked, because the lesson has a mistake or the run
  // of the step failed. The set becomes empty when the lesson is opened or read again.
  std::set<std::uint64_t> impossible_;
  Wanted asked_for_;  // the run for which the player waits
  // The error in the banner while the run was being recorded. If the banner has another error afterwards, the
  // recording failed.
  std::string error_before_;
  bool is_lost_ = false;  // the requested run was cancelled or replaced by another run
  bool waits_for_run_ = false;
  bool has_posed_ = false;                     // true if begin_task() has asked the step's question
  bool again_ = false;                         // the learner answers the step's question once more
  std::shared_ptr<const Recording> arranged_;  // the run of the step; null until the run has arrived
  std::optional<Ordering> ordering_;
  std::vector<int> order_reply_, judged_order_;
  int order_tries_ = 0;
  bool order_shown_ = false;
  std::filesystem::file_time_type written_{};  // when the lesson's file was last written
};

}  // namespace upsweep
