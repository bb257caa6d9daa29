// A learner's progress: the answered questions of each lesson, and the score of Ask first. A JSON file in the
// learner's own folder keeps it.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace upsweep {

// The state of a step's question.
enum class TaskOutcome {
  open,    // not answered
  right,   // the first answer was right
  missed,  // answered, but the first answer was wrong
};

// What the learner has done in one lesson. `outcomes` has an entry for each step that has been answered.
struct LessonProgress {
  int step = 0;  // the learner's last step
  std::map<int, TaskOutcome> outcomes;
  bool operator==(const LessonProgress&) const = default;
};

class LearnerProgress {
 public:
  // Reads the file. If the file does not exist, the progress is empty. If the name is empty, nothing is kept.
  // If the file is damaged, it gets another name, and take_notice() says so.
  explicit LearnerProgress(std::string file = {});

  // A sentence about a damaged file, or about a file that could not be written; empty if all is well.
  std::string take_notice();
  const LessonProgress& of(const std::string& lesson) const;
  // Changes the progress in a lesson and writes the file.
  void set(const std::string& lesson, LessonProgress progress);
  // The questions of Ask first: how many were asked, and how many first replies were right.
  int asked() const { return asked_; }
  int right() const { return right_; }
  void set_score(int asked, int right);

 private:
  void read();
  void read_again();
  void write();
  std::string file_, notice_;
  std::map<std::string, LessonProgress> lessons_;
  int asked_ = 0, right_ = 0;
};

// Returns the path of a file in the folder where this user's programs keep data: $XDG_DATA_HOME/upsweep or
// ~/.local/share/upsweep. Returns an empty path if the user has no such folder.
std::string own_file(const std::string& name);
// Writes a file, and makes its folder if necessary. Throws WorkError if it cannot be written.
void write_own_file(const std::string& path, const std::string& text);
// Gives a damaged file another name, so that a new file does not overwrite it. Returns the new name.
std::string set_aside(const std::string& path);

}  // namespace upsweep
