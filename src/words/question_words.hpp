// Turns questions, their answers and misconceptions into sentences.
#pragma once
#include <string>

#include "analysis/recording.hpp"
#include "questions/question.hpp"

namespace upsweep {

// Returns the question, with what comes next: "Stride 8 comes next. Lane 2 of warp 0 executes line 38,
// `T left = temp[ai];`, and reads x[39]. In which bank is this word?"
std::string question_text(const Question& question, const Recording& recording);
// Returns the text of one of Question::choices.
std::string choice_text(const Question& question, std::int64_t choice);
// Returns an answer as text: "lanes 0 to 3", "2", "no warp".
std::string reply_text(const Question& question, const Reply& reply, const Recording& recording);
// Returns why the answer is right, from the recording: "x[7] and x[39] are different words in bank 7 ..."
std::string because_of(const Question& question, const Recording& recording);
// Returns what a reply got right and wrong: "Lanes 0 and 2 are right. Lane 4 is missing."
std::string judgement_text(const Question& question, const Judgement& judgement, const Recording& recording);
// Returns the name of a misconception, 1 to 17: "Two lanes in one bank always conflict".
std::string misconception_name(int misconception);
// Returns why the misconception leads to this reply, and what in the run refutes it.
std::string refutation(const Question& question, const Misreading& misreading, const Recording& recording);
// Returns the name of the view in which a learner answers the question and sees the answer: "banks".
std::string_view view_for(const Question& question);

}  // namespace upsweep
