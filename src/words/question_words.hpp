// Turns questions, their answers and misconceptions into sentences.
#pragma once
#include <string>

#include "analysis/recording.hpp"
#include "base/language.hpp"
#include "questions/question.hpp"

namespace upsweep {

// Returns a line of the kernel's text. Removes the comment if the kernel is broken on purpose, because the
// comment may say what is wrong.
std::string code_line(const Recording& recording, int line);
// Returns a sentence about the next step, and then the question: "Next is step 5 of 15: up-sweep, stride 8.
// Warp 0 executes line 39: `T left = temp[ai];` Lane 2 reads temp[39]. In which bank is this element?" Code
// is between backquotes.
std::string question_text(const Question& question, const Recording& recording);
// Returns the text of one of Question::choices.
std::string choice_text(const Question& question, std::int64_t choice, TextLanguage in = language());
// Returns an answer as text: "lanes 0–3", "2", "no warp".
std::string reply_text(const Question& question, const Reply& reply, const Recording& recording);
// Returns why the answer is correct: "Element 39 is in word 40 of shared memory, and 40 mod 32 = 8."
std::string because_of(const Question& question, const Recording& recording);
// Returns the name of a misconception, 1 to 17: "Two lanes in one bank always conflict".
std::string misconception_name(int misconception);
// Returns a text that refutes the misconception but does not contain the answer.
std::string refutation(const Question& question, const Misreading& misreading, const Recording& recording);
// Returns the name of the view in which a learner answers the question and sees the answer: "banks".
std::string_view view_for(const Question& question);

}  // namespace upsweep
