// Makes questions about a recording.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/recording.hpp"
#include "base/job.hpp"
#include "questions/question.hpp"

namespace upsweep {

// The data that questions need in addition to the recording. record() returns a recording of a run with other
// settings and the same data, or null if recording this run failed. Without record(), there are no questions
// of the kinds "compare" and "barrier".
struct AskInput {
  using Record = std::function<std::shared_ptr<const Recording>(const Settings&)>;
  const Recording& recording;
  Record record{};
};
// Returns a function that records runs with `record`. The function keeps its recordings, so that no run is
// recorded twice. The function returns null if `record` throws an Error.
AskInput::Record each_once(std::function<Recording(const Settings&)> record);

// Describes the questions to make. If a field has no value, the seed decides.
struct AskOrder {
  std::optional<QuestionKind> kind{};
  std::optional<int> step{};   // an index into Trace::steps
  std::optional<int> block{};  // a block of the step's grid
  std::optional<int> warp{}, lane{}, element{}, line{};
  std::optional<int> request{};       // the request's number in the block's step, from 1, as for --request
  std::optional<Settings> changed{};  // for the kind "compare": the other run
  std::optional<ComparedCount::Of> of{};
  // If `step` is empty and `from` is above 0, the questions are about step `from` and the next two steps.
  int from = 0;
  std::uint32_t seed = 1;
  int count = 1;
};

// Returns `order.count` different questions, or fewer if the run has fewer. The same AskOrder always leads to
// the same questions. If `order.step` is empty, the questions go forward through the run, and mix the kinds
// that are possible for the run.
//
// Exactly one reply to each question is correct. So a run with a race has no questions about values, because
// the values may depend on the order of threads. Throws Cancelled if the job is cancelled.
std::vector<Question> questions(const AskInput& in, const AskOrder& order, const Job* job = nullptr);

// Returns the question that `order` describes. `order.kind` must have a value. If the question is not about
// the whole run, `order.step` must also have a value. Throws RequestError if no question or several questions
// fit `order`.
Question the_question(const AskInput& in, const AskOrder& order, const Job* job = nullptr);

// Returns the line of the kernel's text that is at the top of the view "Source" while the question is open.
// Returns 0 if the view scrolls to the lines of the shown step.
int first_shown_line(const Question& question, const Trace& trace);

// Returns a copy of the trace without the data that a learner must not see before a question. The copy has
// all steps, but step `first_hidden` and later steps have no events and no counts. The values of the output
// are also removed. make_recording() accepts the copy.
Trace before_step(const Trace& trace, int first_hidden);

}  // namespace upsweep
