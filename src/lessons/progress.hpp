// Stores a learner's progress: the answered questions of each lesson, and the score of the mode "Ask first".
// The progress is in a JSON file in the learner's own folder.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace upsweep {

// The state of a step's question.
enum class TaskOutcome {
  open,    // not answered
  right,   // the first answer was correct
  missed,  // answered, but the first answer was wrong
};

struct Lesson;

struct KeptOutcome {
  TaskOutcome outcome = TaskOutcome::open;
  std::uint64_t question = 0;  // LessonStep::question; 0 in files of older versions
  bool operator==(const KeptOutcome&) const = default;
};

// The learner's progress in one lesson. `outcomes` has an entry for each step that has been answered.
struct LessonProgress {
  int step = 0;  // the learner's last step
  std::map<int, KeptOutcome> outcomes;
  bool operator==(const LessonProgress&) const = default;
};

// Returns the outcomes that belong to the present questions of the lesson. The keys are the steps. The lesson
// may have changed since the progress was stored:
// - If a question is now in another step, its outcome belongs to that step.
// - If a question has changed, its outcome is left out.
// - An outcome that was stored without a question belongs to the step with the same number.
std::map<int, KeptOutcome> outcomes_in(const Lesson& lesson, const LessonProgress& progress);

class LearnerProgress {
 public:
  // Reads the progress from the file. If the file does not exist, the progress is empty. If the name is
  // empty, nothing is stored.
  //
  // If the file is damaged, it is renamed, and take_notice() returns a sentence about this. If the file
  // cannot be renamed or cannot be read, the file stays as it is, and nothing is stored.
  explicit LearnerProgress(std::string file = {});

  // A sentence about a damaged file, or about a file that could not be written; empty if all is well. If the
  // program fails several times in a row to save the progress, only the first failure has a sentence.
  std::string take_notice();
  const LessonProgress& of(const std::string& lesson) const;
  // Changes the progress in a lesson and writes the file. Adds the answers that other windows have written to
  // the file. If two windows answered the same question, the answer in the file counts.
  //
  // If the file cannot be written, the next change writes this change, too.
  void set(const std::string& lesson, LessonProgress progress);
  // The number of questions that were asked in the mode "Ask first", and the number of correct first replies.
  int asked() const { return now_.asked; }
  int right() const { return now_.right; }
  // Adds the arguments to the numbers asked() and right(), and writes the file.
  void add_to_score(int asked, int right);

 private:
  struct Contents {
    std::map<std::string, LessonProgress> lessons;
    int asked = 0, right = 0;
    bool operator==(const Contents&) const = default;
    const LessonProgress& of(const std::string& lesson) const;
  };
  static Contents contents_of(const std::string& text);
  static std::string text_of(const Contents& contents);
  std::optional<Contents> read();
  void save();
  void fail(std::string notice);
  std::string file_, notice_;
  bool has_failed_ = false;  // the latest attempt to save the progress failed
  Contents now_;
  Contents before_;  // the contents of the file when this window read or wrote the file last
};

}  // namespace upsweep
