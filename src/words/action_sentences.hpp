// Joins the actions of a step into sentences.
#pragma once
#include <string>
#include <vector>

#include "analysis/actions.hpp"

namespace upsweep {

struct ActionSentences {
  std::vector<std::string> texts;
  std::size_t left_out = 0;  // the number of actions that the sentences do not mention
};

// Describes the actions of one step. A sentence has about 20 words, and there are about 7 sentences. Actions
// of the same threads are told together. Actions that differ only in their indices become one: "read in[t,
// t+32 … t+96]". `grid` must be the grid of the actions.
ActionSentences action_sentences(const Trace& trace, int grid, const std::vector<StepAction>& actions);

}  // namespace upsweep
