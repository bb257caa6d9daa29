// Defines a question about a run: what happens in a step that the learner has not seen yet. The answer is
// computed from the recording. src/words/question_words.hpp turns questions into sentences.
#pragma once
#include <climits>
#include <compare>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "trace/settings.hpp"
#include "trace/trace.hpp"

namespace upsweep {

enum class QuestionKind : std::uint8_t {
  value,       // which value a cell of shared memory holds after the step
  written,     // which elements of shared memory the step writes
  active,      // which lanes of a warp execute a line
  bank,        // in which bank the word of a lane is
  colliding,   // which lanes access the bank of a given lane, but a different word
  wavefronts,  // how many wavefronts a request takes
  diverged,    // which warps diverge
  waiting,     // which warps wait at the step's barrier without doing any of the step's work
  next_line,   // which line a warp executes next
  look_back,   // over how many tiles a tile looks back
  compare,     // which of two runs needs less of a quantity (ComparedCount::Of), and how much less
  barrier,     // what goes wrong without a barrier
};
inline constexpr std::string_view question_kind_names[] = {"value",     "written",    "active",   "bank",
                                                           "colliding", "wavefronts", "diverged", "waiting",
                                                           "next_line", "look_back",  "compare",  "barrier"};
inline constexpr int question_kinds = static_cast<int>(std::size(question_kind_names));
static_assert(question_kinds == static_cast<int>(QuestionKind::barrier) + 1);
// Returns whether questions of a kind compare the whole run with another run. The other run has other
// options, or lacks one barrier.
inline bool is_about_runs(QuestionKind k) { return k == QuestionKind::compare || k == QuestionKind::barrier; }
inline std::string_view name(QuestionKind k) { return question_kind_names[static_cast<int>(k)]; }

// The ways in which a learner can answer.
enum class AnswerForm : std::uint8_t {
  value,   // types a value of the run's type
  number,  // types a whole number, or chooses one of Question::choices
  places,  // marks places in the picture: none, one or several
  choice,  // chooses one of Question::choices, which have texts
};
// The things that a learner marks, and the meaning of their numbers in Question::places.
enum class PlaceOf : std::uint8_t {
  nothing,
  elements,  // elements of the main array in shared memory, from 0, without padding
  lanes,     // lanes of About::warp, from 0 to 31
  banks,     // banks, from 0 to 31
  warps,     // warps of About::block, from 0
  lines,     // lines of the kernel's text, from 1
};

// The things that a question is about. A thing that the question does not need is -1, or 0 for a line.
struct About {
  int block = 0;  // a block of the step's grid that is recorded in full
  int warp = -1, lane = -1;
  int element = -1;  // an element of the main array in shared memory, counted without padding
  int cell = -1;     // the element's cell, which counts padding, as in CellId::cell
  int event = -1;    // a request: an index into Trace::events
  int request = 0;   // the request's number among the shared requests of the block's step, from 1; 0 for none
  int line = 0;      // a line of the kernel's text
  int tile = -1;     // a tile of a scan with look-back
  // For `compare`: the other run, as an index into the list of all runs that differ from this run in one
  // option.
  int run = -1;
  int count = -1;  // for `compare`: the compared count, a ComparedCount::Of
  auto operator<=>(const About&) const = default;
};

// An answer: the correct answer, a learner's answer, or the answer to which a misconception leads.
struct Reply {
  std::vector<std::int64_t> numbers;  // places, ascending; or one number; or the code of one choice
  Value value{};                      // for AnswerForm::value, instead of numbers
  bool operator==(const Reply&) const = default;
};

// An answer that follows from a misconception. `misconception` is 1 to 17, see docs/questions.md.
struct Misreading {
  Reply reply;
  int misconception = 0;
};

// For QuestionKind::compare: the counts of both runs.
struct ComparedCount {
  enum class Of : std::uint8_t { wavefronts, sectors, operations, barriers };
  Of of = Of::wavefronts;
  Settings baseline, changed;
  double in_baseline = 0, in_changed = 0;
};

struct Question {
  QuestionKind kind{};
  // The step that the question is about: an index into Trace::steps. -1 for a question about the whole run.
  int step = -1;
  About about;
  AnswerForm form{};
  PlaceOf place_of{};
  std::vector<std::int64_t> places;   // all places that can be marked, ascending
  std::vector<std::int64_t> choices;  // all choices: numbers, or codes for choice_text()
  Reply answer;
  std::vector<Misreading> misreadings;  // all different from each other and from the answer
  ComparedCount compared{};             // for QuestionKind::compare
  // The first step that the learner must not see before answering. Views show the run as it was before this
  // step. A question about the whole run hides no step, because its answer depends on a second run.
  int first_hidden() const { return step < 0 ? INT_MAX : step; }
};

// The correct parts and the wrong parts of a learner's reply.
struct Judgement {
  bool right = false;
  // For AnswerForm::places: the marked places that are correct, the correct places that are not marked, and
  // the marked places that are wrong.
  std::vector<std::int64_t> found, missed, wrong;
  int misreading = -1;  // an index into Question::misreadings, or -1
};
// Compares a reply with the answer. `type` is the type of the run's values. Values are compared as numbers of
// this type, so 0 and −0 are equal.
Judgement judge(const Question& question, const Reply& given, Scalar type);

}  // namespace upsweep
