// Defines a lesson: a text in steps. A step can choose what the window shows, and can ask a question.
// docs/lessons.md describes the files in which lessons are written.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/options.hpp"
#include "questions/ask.hpp"
#include "scene/wrap.hpp"

namespace upsweep {

// A mistake in a lesson: a sentence, and the number of the line, from 1.
struct Mistake {
  int line = 1;
  std::string text;
  bool operator==(const Mistake&) const = default;
};

// A paragraph, a heading, an item of a list, or a block of code.
struct LessonText {
  enum class Kind { paragraph, heading, item, code } kind = Kind::paragraph;
  int number = 0;             // the number of an item in a numbered list; 0 for a bullet
  std::vector<TextRun> runs;  // a block of code has one run for each line
};

// A block `show`: the run that the window shows, and the place in this run.
struct ShowBlock {
  int line = 0;
  RunOptions run;
  std::optional<std::string> step, at_block, request, view;
  std::vector<std::string> compare;
};

// A line `hint: TEXT`.
struct LessonHint {
  int line = 0;
  std::string text;
};

// A block `ask`, which asks a question about the lesson's run. `order` describes the question, but lacks two
// members. pose() computes `order.step` from `step`, and `order.changed` from `with`.
struct AskBlock {
  struct Remark {
    int line = 0;
    std::string answer, text;
  };
  int line = 0;
  AskOrder order;
  std::optional<std::string> step;
  std::vector<std::string> with;
  std::vector<Remark> misread;
  std::vector<LessonHint> hints;
};

// A block `order` has at least least_ordered lines to put in order. Together with the extra, wrong lines, it
// has at most most_ordered lines, because a learner chooses a line by typing one digit.
inline constexpr std::size_t least_ordered = 2, most_ordered = 9;

// A block `order`: lines of the kernel that the learner puts in order.
struct OrderBlock {
  int line = 0;
  int first = 0, last = 0;              // lines of the kernel's text, from 1
  std::vector<std::vector<int>> equal;  // groups of lines; the lines of one group may be exchanged
  std::vector<std::string> extra;       // wrong lines that are mixed in
  std::vector<LessonHint> hints;
};

struct LessonStep {
  int line = 0;
  std::vector<LessonText> texts;
  std::optional<ShowBlock> show;
  std::optional<AskBlock> ask;
  std::optional<OrderBlock> order;
  bool has_wrong_show = false;  // `show` cannot be read, so no step has a run until the next block `show`
  // A hash of the block `ask` or `order` without its lines `hint` and `misread`. Equal blocks in one lesson
  // still have different hashes. 0 if the step has no such block.
  std::uint64_t question = 0;
  bool has_task() const { return ask || order; }
};

struct Lesson {
  enum class Kind { lesson, test, card } kind = Kind::lesson;
  std::string name;  // the file's name without .md
  std::string title, about, language = "en", next;
  int needs_line = 1, next_line = 1;  // the lines of the keys `needs` and `next`
  int minutes = 0;
  std::vector<std::string> needs;
  std::vector<LessonStep> steps;

  int tasks() const {
    int count = 0;
    for (const LessonStep& s : steps) count += s.has_task();
    return count;
  }
};

// The names of the kinds of lessons, in the order of Lesson::Kind.
inline constexpr std::string_view lesson_kinds[] = {"lesson", "test", "card"};

// The readable parts of a lesson, and its mistakes, sorted by line.
struct ReadLesson {
  Lesson lesson;
  std::vector<Mistake> mistakes;
};

// Reads the text of a lesson. Finds every mistake that can be found without a run; check.hpp finds the other
// mistakes.
ReadLesson read_lesson(std::string name, std::string_view text);

// The largest file that is read as a lesson, in bytes.
inline constexpr std::size_t most_lesson_bytes = 1 << 20;
// Reads a lesson from a file. Throws RequestError if the file cannot be read.
ReadLesson read_lesson_file(const std::string& path);

// Returns a lesson's name without the number before it: "what-a-scan-is" for "01-what-a-scan-is".
std::string_view without_number(std::string_view name);
// Returns whether a name, with or without its number, names this lesson.
bool is_named(const Lesson& lesson, std::string_view name);

}  // namespace upsweep
