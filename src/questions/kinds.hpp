// Declares how questions of each kind are made. For each kind, one function finds the things that can be
// asked in a step, and another function makes the question with its answer.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "analysis/memory.hpp"
#include "base/job.hpp"
#include "questions/ask.hpp"

namespace upsweep {

// The data of one search for questions: the run, the AskOrder that describes the wanted questions, and the
// job.
struct Asking {
  const AskInput& in;
  const AskOrder& order;
  const Job* job = nullptr;
  const Recording& recording() const { return in.recording; }
  const Trace& trace() const { return in.recording.trace; }
  const Event& event(int index) const { return trace().events[static_cast<std::size_t>(index)]; }
};

// `places` returns the possible subjects of questions of this kind in a step; the step is -1 for a question
// about the whole run. `question` returns the question about one subject, or nullopt if the question would
// have no correct reply or several correct replies.
struct QuestionMaker {
  QuestionKind kind;
  std::vector<About> (*places)(const Asking&, int step, int block);
  std::optional<Question> (*question)(const Asking&, int step, const About&);
};

std::span<const QuestionMaker> memory_questions();   // value, written
std::span<const QuestionMaker> request_questions();  // bank, colliding, wavefronts
std::span<const QuestionMaker> warp_questions();     // active, diverged, waiting, next_line
std::span<const QuestionMaker> run_questions();      // look_back, compare, barrier

// The largest number of elements, or of colliding lanes, that a learner must mark.
inline constexpr std::size_t most_marks = 16;

// Returns a question with this kind, step, subject and form of answer.
inline Question begin_question(QuestionKind kind, int step, const About& about, AnswerForm form) {
  Question q;
  q.kind = kind;
  q.step = step;
  q.about = about;
  q.form = form;
  return q;
}
// Adds the wrong reply to which a misconception leads. Ignores a correct reply, and a reply that was added
// before.
void misread(Question& q, Reply reply, int misconception);
// Returns the numbers from `first` to `last`.
std::vector<std::int64_t> numbers_between(std::int64_t first, std::int64_t last);
std::vector<std::int64_t> lanes_of(std::uint32_t mask);

}  // namespace upsweep
